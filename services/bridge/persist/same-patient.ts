import { fold } from '../../../packages/fhir/fold.ts'
import type { Identifier, Patient } from '../../../packages/fhir/r4.ts'
import { numberKind } from '../../../ports/patient-index/number-kinds.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import type { Write } from '../mapping/mapped.ts'
import { survivorReference } from '../mapping/patient-links.ts'
import { patientSaid } from './patient-said.ts'
import type { StoredResource } from './stored.ts'

/**
 * Senders do not always name the numbers of a record in one order (PID-3). A second record that has a number of the first would
 * find both, and every message under it would be refused. Whoever is found by another number than the first is meant where there
 * is one alone, in use or else merged away, and it is like the one that is sent: a child may be sent with the number of its mother,
 * and so may its twin.
 */
export function samePatient(found: readonly StoredResource[], write: Write): StoredResource | undefined {
  const one = onlyOne(found)
  return one !== undefined && isAlike(one, patientSaid(write)) ? one : undefined
}

/**
 * The record of which a message has a number, the name and the birth date, where its national number is that of others, who are other
 * people by name or birth date: it was corrected to that of somebody else, or two were mistaken for each other and are being put right.
 * Here it need not be the first number, nor the only record that has one of them: those others are told to be somebody else. Of several
 * records of the person the first that is named counts.
 * @param byKey who has the national number
 */
export function ownRecord(
  byKey: readonly StoredResource[],
  byOthers: readonly StoredResource[],
  write: Write,
): StoredResource | undefined {
  const { key } = write
  const sent = patientSaid(write)
  const number = sent.identifier?.find(({ system, value }) => system === key.system && value === key.value)
  if (number === undefined || numberKind(number) !== 'national' || byKey.length === 0) return undefined
  const [one] = standing(byOthers.filter((other) => isOfOnePerson(other as Patient, sent)))
  if (one === undefined || mayBeTwin(one, sent)) return undefined
  return byKey.every((other) => other.id === one.id || !isOfOnePerson(other as Patient, sent)) ? one : undefined
}

function onlyOne(found: readonly StoredResource[]): StoredPatient | undefined {
  const [one, ...others] = standing(found)
  return others.length > 0 ? undefined : one
}

/** Those in use; where none is, those that were merged away: whoever has not heard of it means the one who stayed. */
function standing(found: readonly StoredResource[]): readonly StoredPatient[] {
  // Sound: the store was asked for Patients.
  const records = [...new Map(found.map((one) => [one.id, one as StoredPatient])).values()]
  const inUse = records.filter(({ active }) => active !== false)
  return inUse.length > 0 ? inUse : records.filter((record) => survivorReference(record) !== undefined)
}

type StoredPatient = StoredResource & Patient

/** One person, and the first record number of the record is among those that were sent; of a twin it is the only one. */
function isAlike(stored: Patient, sent: Patient): boolean {
  if (!isOfOnePerson(stored, sent)) return false
  // A national number may be corrected, and is then another.
  const [first] = recordNumbersOf(stored)
  if (first === undefined || mayBeTwin(stored, sent)) return false
  return isAmong(sent.identifier ?? [])(first)
}

/** Of one of several births a single number may be their own, and the others that of the other child. */
const mayBeTwin = (stored: Patient, sent: Patient): boolean =>
  (isOneOfSeveral(stored) || isOneOfSeveral(sent)) && recordNumbersOf(sent).length > 1

const recordNumbersOf = ({ identifier = [] }: Patient): readonly Identifier[] =>
  identifier.filter((one) => numberKind(one) === 'record')

/** One day of birth and one name. */
function isOfOnePerson(stored: Patient, sent: Patient): boolean {
  if (sent.birthDate === undefined || sent.birthDate !== stored.birthDate) return false
  const names = namesOf(stored)
  return namesOf(sent).some((name) => names.includes(name))
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
