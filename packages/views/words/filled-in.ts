export type Parameters = Readonly<Record<string, string | number>>

/** A message with its `{values}` in their places. */
export const filledIn = (message: string, parameters: Parameters) =>
  message.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))
