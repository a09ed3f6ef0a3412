/** As both forms of a record hold the words of others. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64')
