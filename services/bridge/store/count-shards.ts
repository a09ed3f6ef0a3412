/** Counters are spread over so many rows, so that copies do not wait for each other; their sum is what counts. */
export const countShards = 8
