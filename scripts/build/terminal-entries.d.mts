/** The folders of terminals, sorted. */
export declare function families(): readonly string[];
