/** The members that have a value; undefined when none has. Empty lists are no values: FHIR knows none. */
export function compact<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T | undefined {
  const kept: Record<string, unknown> = {}
  let count = 0
  // A loop over names, because this runs for every data type of every message and lists of pairs cost the most there.
  for (const name in members) {
    const value = members[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    kept[name] = value
    count++
  }
  // Sound: only members of T, each of its type; what R4 demands is checked by the validator in the tests.
  return count === 0 ? undefined : (kept as T)
}
