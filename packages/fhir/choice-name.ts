/** `value` of the type `Quantity` stands in JSON as `valueQuantity`. */
export const choiceName = (name: string, type: string): string => name + type.charAt(0).toUpperCase() + type.slice(1)
