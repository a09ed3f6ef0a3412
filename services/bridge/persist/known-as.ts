import type { FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import { identifierKey, isSameKey, keyOfPatient } from '../mapping/keys.ts'
import type { Key, Write } from '../mapping/mapped.ts'
import { patientOf } from '../mapping/patient-of.ts'
import { identifiersOf } from './identifiers-of.ts'
import { knownPatientKey } from './known-patient.ts'
import type { Stored, StoredResource } from './stored.ts'

/**
 * Of what has several numbers, the key under which it came into being, where that is not the message's: by `fullUrl`. The
 * results of a report and the diagnoses of a visit are found by it, whichever number a message has. Within a number that is
 * that of another patient's visit they are the patient's own, as is a specimen of which another patient's has the number.
 * What is one of several of one number is found by its own. Those of a visit that was merged into another are still found by its own number: the other has a first diagnosis, too.
 */
export function knownAs(writes: readonly Write[], stored: Stored): ReadonlyMap<string, Key> {
  const known = new Map<string, Key>()
  for (const write of writes) {
    const key = knownPatientKey(write, stored)
    if (key !== undefined) known.set(write.fullUrl, key)
  }
  for (const write of writes) {
    const { fullUrl, key, resource } = write
    if (stored.anothers?.has(fullUrl) === true) known.set(fullUrl, ofPatient(key, resource, writes, known))
    const there = mergedVisit(stored, fullUrl) ?? stored.get(fullUrl)
    const own = there && keyBeside(write, there)
    if (own !== undefined) {
      known.set(fullUrl, own)
      continue
    }
    const first = there && firstNumber(there, resource.resourceType)
    if (first === undefined) continue
    const firstKey = identifierKey(first)
    if (!isSameKey(firstKey, key)) known.set(fullUrl, firstKey)
  }
  return known
}

/**
 * Of several that have one number and come one by one: where what has the number shows by a key of its own that it is another
 * one, the write is found by its own, too.
 */
function keyBeside({ exactKeys = [] }: Write, there: StoredResource): Key | undefined {
  const numbers = identifiersOf(there)
  const isThere = isAmong(numbers)
  if (exactKeys.some(isThere)) return undefined
  // An addendum is no other form of what has its number, but a document beside it.
  const isAnother = (one: Key) =>
    there.resourceType === 'DocumentReference' || numbers.some(({ system }) => system === one.system)
  return exactKeys.some(isAnother) ? exactKeys[0] : undefined
}

function mergedVisit({ replaced }: Stored, fullUrl: string): StoredResource | undefined {
  const one = replaced?.get(fullUrl)
  return one?.resourceType === 'Encounter' ? one : undefined
}

/** Within the number of the patient as those of the message are (`PutPatient`). */
function ofPatient(key: Key, resource: FhirResource, writes: readonly Write[], known: ReadonlyMap<string, Key>): Key {
  const patient = writes.find(({ fullUrl }) => fullUrl === patientOf(resource)?.reference)
  return keyOfPatient(key, (patient && known.get(patient.fullUrl)) ?? patient?.key)
}

function firstNumber(stored: StoredResource, type: FhirResource['resourceType']): Identifier | undefined {
  const choose = type === stored.resourceType ? choices[type] : undefined
  return choose?.(identifiersOf(stored).filter(({ value }) => value !== undefined))
}

type Choose = (identifiers: readonly Identifier[]) => Identifier | undefined

const first: Choose = ([one]) => one

const ofKind =
  (...kinds: readonly string[]): Choose =>
  (identifiers) =>
    identifiers.find(({ type }) => kinds.includes(type?.coding?.[0]?.code ?? ''))

/** A key that was made of a number which several share; it stands behind those of its own. */
const made =
  (kind: string): Choose =>
  (identifiers) =>
    identifiers.find(({ system }) => system?.endsWith(`/${kind}`))

/** What a message says first stands first, and what later ones add comes behind it. */
const choices: Readonly<Partial<Record<FhirResource['resourceType'], Choose>>> = {
  Encounter: first,
  DiagnosticReport: first,
  DocumentReference: first,
  Immunization: first,
  ServiceRequest: (all) => made('order')(all) ?? ofKind('PLAC', 'FILL')(all),
  MedicationRequest: (all) => made('prescription-of-drug')(all) ?? first(all),
  // Whoever knows the filler's number takes slots under it, and frees what was taken under either (`slots.ts`).
  Appointment: ofKind('FILL'),
}
