/** Whether a text can be the id of a resource. What is none becomes part of no address and no statement. */
export const isFhirId = (text: string): boolean => idPattern.test(text)

const idPattern = /^[A-Za-z0-9.-]{1,64}$/
