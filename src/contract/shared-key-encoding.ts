/** How the text of a shared key stands for its bytes; UTF-8 unless the partner's record says so. */
export const SHARED_KEY_ENCODINGS = ['utf8', 'hex', 'base64'] as const;

export type SharedKeyEncoding = (typeof SHARED_KEY_ENCODINGS)[number];
