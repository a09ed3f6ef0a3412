/** The last part of an address of our own, `{beginning}{facility}/{name}`: what its sender called it. */
export function ownName(address: string, beginning: string): string | undefined {
  if (!address.startsWith(beginning)) return undefined
  const [, name, ...others] = address.slice(beginning.length).split('/')
  return name === undefined || others.length > 0 ? undefined : decodeURIComponent(name)
}
