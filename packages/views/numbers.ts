/** `12,345`, as the pages in English write numbers. */
export const count = (value: number): string => value.toLocaleString('en-GB')
