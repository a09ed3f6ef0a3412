import { fold } from '../../../packages/fhir/fold.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { numberKind } from '../../../ports/patient-index/number-kinds.ts'
import type { Write } from '../mapping/mapped.ts'
import type { StoredResource } from './stored.ts'

/**
 * Senders do not always name the numbers of a record in one order (PID-3). A second record that has a number of the first would
 * find both, and every message under it would be refused. Whoever is found by another number than the first is meant where there
 * is one alone, in use, and it is like the one that is sent: a child may be sent with the number of its mother, and so may its
 * twin.
 */
export function samePatient(found: readonly StoredResource[], { resource }: Write): StoredResource | undefined {
  const records = new Map(found.map((one) => [one.id, one as StoredResource & Patient]))
  const [one, ...others] = [...records.values()].filter(({ active }) => active !== false)
  if (one === undefined || others.length > 0) return undefined
  return isAlike(one, resource as Patient) ? one : undefined
}

/** One day of birth, one name, no twin, and the first record number of the record is among those that were sent. */
function isAlike(stored: Patient, sent: Patient): boolean {
  if (sent.birthDate === undefined || sent.birthDate !== stored.birthDate) return false
  if (isOneOfSeveral(stored) || isOneOfSeveral(sent)) return false
  // A national number may be corrected, and is then another.
  const first = stored.identifier?.find((one) => numberKind(one) === 'record')
  const hasFirst = sent.identifier?.some(({ system, value }) => system === first?.system && value === first?.value)
  const names = namesOf(stored)
  return hasFirst === true && namesOf(sent).some((name) => names.includes(name))
}

const isOneOfSeveral = ({ multipleBirthBoolean, multipleBirthInteger }: Patient): boolean =>
  multipleBirthBoolean === true || multipleBirthInteger !== undefined

const namesOf = ({ name = [] }: Patient): string[] =>
  name.flatMap(({ family, given }) => (family && given?.[0] ? [fold(`${family} ${given[0]}`)] : []))

/** It is found by a number that it is no longer known by (A47). */
export function isRenumbered({ resource, key }: Write): boolean {
  const { identifier = [] } = resource as Patient
  return identifier.some(({ use, system, value }) => use === 'old' && system === key.system && value === key.value)
}
