/** For loops over the whole route table: on a machine that does other things as well they take their time. */
export const slowMs = 240_000
