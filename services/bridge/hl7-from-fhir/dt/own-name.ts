/** An address of our own, `{beginning}{facility}/{name}`: whose it is, and what they called it. */
export function ownName(address: string, beginning: string): OwnName | undefined {
  if (!address.startsWith(beginning)) return undefined
  const [facility = '', name, ...others] = address.slice(beginning.length).split('/')
  if (name === undefined || others.length > 0) return undefined
  return { facility: decodeURIComponent(facility), name: decodeURIComponent(name) }
}

export interface OwnName {
  readonly facility: string
  readonly name: string
}
