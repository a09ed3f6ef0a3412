import type { Person } from '../person.ts'
import type { Comparison } from './comparison.ts'
import { isOneEdit } from './one-edit.ts'

export const identifierBits = { same: 18, oneEdit: 4, different: -14 } as const

export function compareIdentifiers(a: Person, b: Person): Comparison[] {
  const personal =
    shareNumber(a, b) || shareNumber(b, a) ? sameNumber : differentNationalIds(a.nationalIds, b.nationalIds)
  // Two numbers of one hospital are no contradiction: finding such doubles is what an index is for.
  const recordsOfB = new Set(b.recordIds)
  const sharesRecord = a.recordIds.some((id) => recordsOfB.has(id))
  return [
    ...(personal === undefined ? [] : [personal]),
    ...(sharesRecord ? [{ field: 'recordId', agreement: 'agrees', bits: identifierBits.same } as const] : []),
  ]
}

const sameNumber = { field: 'nationalId', agreement: 'agrees', bits: identifierBits.same } as const

/** Whether a number of a person is one of the other as well, national or personal; one who was indexed before has it among those of records. */
function shareNumber({ nationalIds, personalIds }: Person, other: Person): boolean {
  if (nationalIds.length + personalIds.length === 0) return false
  const ofOther = new Set([...other.nationalIds, ...other.personalIds])
  const isOfRecord = (id: string) => other.recordIds.includes(id)
  return [...nationalIds, ...personalIds].some((id) => ofOther.has(id)) || personalIds.some(isOfRecord)
}

/** Only numbers of the same system can contradict. */
function differentNationalIds(ones: readonly string[], others: readonly string[]): Comparison | undefined {
  let found: Comparison | undefined
  for (const one of ones) {
    for (const other of others) {
      const comparison = comparePair(one, other)
      if (comparison !== undefined && (found === undefined || comparison.bits > found.bits)) found = comparison
    }
  }
  return found
}

function comparePair(one: string, other: string): Comparison | undefined {
  const [systemOfOne, numberOfOne] = split(one)
  const [systemOfOther, numberOfOther] = split(other)
  if (systemOfOne !== systemOfOther) return undefined
  return isOneEdit(numberOfOne, numberOfOther)
    ? { field: 'nationalId', agreement: 'partly', bits: identifierBits.oneEdit }
    : { field: 'nationalId', agreement: 'contradicts', bits: identifierBits.different }
}

/** A number has no bar: it was folded to letters and digits. */
function split(id: string): readonly [string, string] {
  const bar = id.lastIndexOf('|')
  return [id.slice(0, bar), id.slice(bar + 1)]
}
