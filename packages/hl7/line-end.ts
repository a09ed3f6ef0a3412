export const carriageReturn = 0x0d
export const lineFeed = 0x0a

/** CR ends a segment, as the standard says; some senders write LF, or both. */
export const isLineEnd = (byte: number): boolean => byte === carriageReturn || byte === lineFeed
