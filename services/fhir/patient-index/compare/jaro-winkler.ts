/**
 * How alike two texts are, from 0 to 1: Jaro's measure of letters in common and their order, with Winkler's bonus for a
 * common beginning of up to four letters. Half transpositions are kept, as in Winkler's own program.
 */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return 1
  const jaro = jaroSimilarity(a, b)
  const prefix = commonPrefix(a, b)
  return jaro + prefix * 0.1 * (1 - jaro)
}

function jaroSimilarity(a: string, b: string): number {
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1)
  const takenOfB = new Uint8Array(b.length)
  const matchedOfA: string[] = []
  for (let index = 0; index < a.length; index++) {
    const end = Math.min(index + reach + 1, b.length)
    for (let other = Math.max(0, index - reach); other < end; other++) {
      if (takenOfB[other] === 1 || a[index] !== b[other]) continue
      takenOfB[other] = 1
      matchedOfA.push(a[index] ?? '')
      break
    }
  }
  const matches = matchedOfA.length
  if (matches === 0) return 0
  const transposed = outOfOrder(matchedOfA, b, takenOfB) / 2
  return (matches / a.length + matches / b.length + (matches - transposed) / matches) / 3
}

function outOfOrder(matchedOfA: readonly string[], b: string, takenOfB: Uint8Array): number {
  let place = 0
  let count = 0
  for (let index = 0; index < b.length; index++) {
    if (takenOfB[index] === 1 && matchedOfA[place++] !== b[index]) count++
  }
  return count
}

function commonPrefix(a: string, b: string): number {
  const longest = Math.min(4, a.length, b.length)
  let length = 0
  while (length < longest && a[length] === b[length]) length++
  return length
}
