/** Where the console shows one message. */
export const messagePath = (transactionId: string): string => `/console/messages/${encodeURIComponent(transactionId)}`
