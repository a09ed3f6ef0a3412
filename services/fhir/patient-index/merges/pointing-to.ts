/** JSON whose references that are meant refer to another; what has none is the same object. */
export function pointingTo(value: unknown, isMeant: (reference: string) => boolean, to: string): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => pointingTo(item, isMeant, to))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [name, innerOf(name, inner)] as const)
  return entries.some(([name, inner]) => inner !== (value as Record<string, unknown>)[name])
    ? Object.fromEntries(entries)
    : value

  function innerOf(name: string, inner: unknown): unknown {
    if (typeof inner !== 'string') return pointingTo(inner, isMeant, to)
    return name === 'reference' && isMeant(inner) ? to : inner
  }
}
