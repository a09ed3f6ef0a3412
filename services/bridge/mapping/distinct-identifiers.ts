import type { Identifier } from '../../../packages/fhir/r4.ts'

/** A number as it is told from others: by its system and its value. */
type Numbered = Pick<Identifier, 'system' | 'value'>

/** Each number once, where it stands first: a message may name thousands, and some of them again. */
export function distinctIdentifiers(identifiers: readonly Identifier[]): Identifier[] {
  const seen = new Set<string>()
  return identifiers.filter((one) => {
    const name = nameOf(one)
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

/** Whether a number is among these, which are looked through once. */
export function isAmong(identifiers: readonly Numbered[]): (one: Numbered) => boolean {
  const names = new Set(identifiers.map(nameOf))
  return (one) => names.has(nameOf(one))
}

const nameOf = ({ system, value }: Numbered): string => JSON.stringify([system, value])
