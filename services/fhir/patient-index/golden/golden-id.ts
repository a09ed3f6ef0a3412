import { createHash } from 'node:crypto'
import type { Ids } from '../../../../packages/clock/ids.ts'
import type { Person } from '../person.ts'

/**
 * The id of a new golden record follows from the record that needs it (a UUID of version 5), so that the same message,
 * processed again after a crash or by two copies at once, gets the same one.
 * @param ofOthers golden ids that follow from what their people no longer have: it was corrected, or its record was deleted, and
 *   whoever has it now is somebody else to the index
 */
export function newGoldenId(person: Person, ids: Ids, ofOthers: ReadonlySet<string> = new Set()): string {
  for (const id of goldenIdsFrom(person)) if (!ofOthers.has(id)) return id
  return ids.uuid()
}

/**
 * What follows from the first number of a record; whoever has one is found by it from then on, and needs no further one. Else from
 * all that is known, in the order in which they are given; none where there is no number.
 */
export function* goldenIdsFrom(person: Person): Generator<string, void> {
  const [record] = person.recordIds
  // A newborn is often registered under the mother's number, a family under one: the number alone is not the person.
  const numbers = [...person.nationalIds, ...person.personalIds, ...person.sharedIds]
  if (record !== undefined) yield nameUuid(record)
  else if (numbers.length > 0) {
    const known = [numbers, person.names, person.birthDate]
    for (let nth = 1; nth <= bearersMax; nth++) yield nameUuid(JSON.stringify(nth === 1 ? known : [...known, nth]))
  }
}

/** More than are corrected to and fro with one number, one name and one birth date. */
const bearersMax = 8

const namespace = Buffer.from('8f3c1f0e5b6a4c0d9d0f6b1f7a2e4c11', 'hex')

/** RFC 9562 section 5.5. */
function nameUuid(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
