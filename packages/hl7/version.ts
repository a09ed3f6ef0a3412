/** True when the message's version (MSH-12.1) is the given one or a later one; what cannot be read counts as late. */
export function isAtLeast(version: string | undefined, wanted: `2.${number}` | `2.${number}.${number}`): boolean {
  const sent = numbersOf(version ?? '')
  if (sent === undefined) return true
  const asked = numbersOf(wanted) ?? []
  for (const [index, number] of asked.entries()) {
    const difference = (sent[index] ?? 0) - number
    if (difference !== 0) return difference > 0
  }
  return true
}

function numbersOf(version: string): number[] | undefined {
  return /^\d{1,3}(\.\d{1,3}){1,2}$/.test(version) ? version.split('.').map(Number) : undefined
}
