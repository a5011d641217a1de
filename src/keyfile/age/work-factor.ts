/** log2 of scrypt's N that a new keyfile gets: what the `age` tool uses too. */
export const DEFAULT_WORK_FACTOR = 18;
/** The lowest that a new keyfile may get. */
export const MIN_WORK_FACTOR = 10;
/** The highest that is written or opened, as by the `age` tool: 4 GiB of memory. */
export const MAX_WORK_FACTOR = 22;
