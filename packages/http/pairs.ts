/** What a query or a form says, by name. A name that occurs more than once has all its values. */
export type Pairs = Readonly<Record<string, string | readonly string[]>>

export function collectPairs(pairs: Iterable<[string, string]>): Pairs {
  // Without a prototype: a parameter may be called `constructor` without becoming anything.
  const collected = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of pairs) {
    const known = collected[name]
    if (known === undefined) collected[name] = value
    else if (Array.isArray(known)) known.push(value)
    else collected[name] = [known, value]
  }
  return collected
}
