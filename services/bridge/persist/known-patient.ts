import type { Identifier, Patient } from '../../../packages/fhir/r4.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import { identifierKey, isSameKey, keysOf } from '../mapping/keys.ts'
import type { Key, Write } from '../mapping/mapped.ts'
import { patientSaid } from './patient-said.ts'
import type { Stored } from './stored.ts'

/**
 * Within which of its numbers the allergies and next of kin of a record were first told, where that is not the one that finds it
 * now: of the record numbers that the message has (1168), and of those that became others since (A47), the one that stands first in
 * the store. Whoever was merged into another was a record of their own until then, and what was told of it is found as it was.
 */
export function knownPatientKey(write: Write, stored: Stored): Key | undefined {
  const { resource, key, fullUrl } = write
  const there = resource.resourceType === 'Patient' ? stored.get(fullUrl) : undefined
  if (there === undefined || stored.replaced?.has(fullUrl) === true) return undefined
  // Sound: what was found for a write is of its type.
  const [said, { identifier = [] }] = [patientSaid(write), there as Patient]
  const isKey = isAmong([key])
  if (!mayBeOfRecord(said.identifier?.find(isKey) ?? {})) return undefined
  const isSaid = isAmong(keysOf(write))
  const first = identifier.find((one) => one.value !== undefined && (one.use === 'old' || isSaid(one)))
  const known = first && identifierKey(first)
  return known === undefined || isSameKey(known, key) ? undefined : known
}

/** A national number, where patients are found by that, is the same whatever becomes of those of their records. */
const mayBeOfRecord = ({ type }: Identifier): boolean => {
  const code = type?.coding?.[0]?.code
  return code === undefined || ofRecords.has(code)
}

const ofRecords = new Set(['MR', 'PI', 'PT'])
