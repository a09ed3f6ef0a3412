/** `name:exact` is the parameter `name` with a modifier. */
export function splitModifier(name: string): { code: string; modifier: string | undefined } {
  const colon = name.indexOf(':')
  return colon === -1
    ? { code: name, modifier: undefined }
    : { code: name.slice(0, colon), modifier: name.slice(colon + 1) }
}
