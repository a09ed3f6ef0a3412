import { Fault, unavailable, type FaultKind } from '../../../packages/faults/fault.ts'
import type { Encounter, Patient } from '../../../ports/fhir-store/resources.ts'
import type { SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import { patientSearches } from '../../../ports/fhir-store/patient-searches.ts'
import { survivorsOf } from '../../../ports/fhir-store/survivors.ts'
import { isGoldenRecord } from '../../../ports/patient-index/golden-link.ts'
import { latestEncounters } from './latest-encounters.ts'
import type { Look } from './look.ts'
import {
  encounterRow,
  isAbout,
  newestFirst,
  patientRow,
  type EncounterRow,
  type FoundEncounters,
  type PatientRow,
} from './patient-row.ts'

const rowsMax = 20
/** Of these the latest are shown: more than that have no end only where nobody ever says that one has ended. */
const visitsMax = 100

interface FoundPatients {
  readonly patients: readonly PatientRow[]
  /** Whether there are others whom the search finds as well. */
  readonly hasMore: boolean
}

/** Patients by name, or by identifier or day of birth where what was typed has a digit in it. */
export function searchPatients(typed: string, look: Look): Promise<FoundPatients> {
  return fromFhir(async () => {
    const searches = typed.trim() === '' ? [{}] : patientSearches(typed)
    const found = await Promise.all(searches.map((search) => patients({ ...search, _sort: 'family' }, look)))
    // A golden record stands for a person and has no name to show; it comes last, where there is room for it.
    const people = distinct(found.flat()).filter((patient) => !isGoldenRecord(patient))
    const rows = await withEncounters(await survivorsOf(people, look), look)
    return { patients: rows, hasMore: people.length > rowsMax }
  })
}

/** These patients, in this order, each once and as their survivor; who is no longer there is left out. */
export function patientsById(ids: readonly string[], look: Look): Promise<readonly PatientRow[]> {
  return fromFhir(async () => {
    if (ids.length === 0) return []
    const found = await patients({ _id: ids.join(',') }, look)
    const inOrder = ids.flatMap((id) => found.filter((patient) => patient.id === id))
    return withEncounters(await survivorsOf(inOrder, look), look)
  })
}

/**
 * The patient with whom something can be begun: who was merged into another is that other. Undefined when there is none
 * that this user may see.
 */
export function findSurvivor(id: string, look: Look): Promise<PatientRow | undefined> {
  return fromFhir(async () => {
    const patient = await look.store.read<Patient>('Patient', id, { signal: look.signal })
    const [survivor] = patient === undefined ? [] : await survivorsOf([patient], look)
    return survivor === undefined ? undefined : patientRow(survivor, notLooked, look)
  })
}

/** The patient of just this id, or undefined when there is none that this user may see. */
export function findPatient(id: string, look: Look): Promise<PatientRow | undefined> {
  return fromFhir(async () => {
    const patient = await look.store.read<Patient>('Patient', id, { signal: look.signal })
    return patient === undefined ? undefined : patientRow(patient, notLooked, look)
  })
}

/** The names of these patients, as far as they are to be had: a page that only mentions them must not fail for them. */
export async function namesOf(ids: readonly string[], look: Look): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].slice(0, 100)
  if (wanted.length === 0) return new Map()
  try {
    const { store, signal } = look
    const search = { _id: wanted.join(','), _count: String(wanted.length) }
    const found = await store.search<Patient>('Patient', search, { signal })
    return new Map(found.map((patient) => [patient.id ?? '', patientRow(patient, notLooked, look).name]))
  } catch (thrown) {
    if (thrown instanceof Fault) return new Map()
    throw thrown
  }
}

export function encountersOf(patientId: string, { store, signal }: Look): Promise<readonly EncounterRow[]> {
  return fromFhir(async () => {
    const search = { patient: patientId, _sort: '-date', _count: String(visitsMax) }
    const found = await store.search<Encounter>('Encounter', search, { signal })
    return found.filter(isReal).toSorted(newestFirst).slice(0, rowsMax).map(encounterRow)
  })
}

export function isEncounterOf(encounterId: string, patientId: string, look: Look): Promise<boolean> {
  const { store, base, signal } = look
  return fromFhir(async () => {
    const encounter = await store.read<Encounter>('Encounter', encounterId, { signal })
    return encounter !== undefined && isReal(encounter) && isAbout(patientId, encounter, base)
  })
}

/** What was entered in error never was, and nothing is written to it. */
const isReal = ({ status }: Encounter): boolean => status !== 'entered-in-error'

const patients = (search: SearchParameters, { store, signal }: Look) =>
  store.search<Patient>('Patient', { ...search, _count: String(rowsMax + 1) }, { signal })

const distinct = (found: readonly Patient[]) => [...new Map(found.map((patient) => [patient.id, patient])).values()]

async function withEncounters(found: readonly Patient[], look: Look): Promise<readonly PatientRow[]> {
  const shown = distinct(found).slice(0, rowsMax)
  const encounters = await latestEncounters(
    shown.map(({ id = '' }) => id),
    look,
  )
  return shown.map((patient) => patientRow(patient, encounters, look))
}

const notLooked: FoundEncounters = { encounters: [], isWhole: false }

/** What the server says of a search of ours is no answer to who asked for patients: they asked for nothing wrong. */
const kindsOfServer: ReadonlySet<FaultKind> = new Set(['unavailable', 'missing', 'incorrect', 'unprocessable'])

/** The specification knows one answer for a FHIR server that is down, late or broken: 502. */
export async function fromFhir<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof Fault) || !kindsOfServer.has(thrown.kind)) throw thrown
    const what = thrown.kind === 'unavailable' ? 'cannot be reached' : 'does not answer what the portal asks'
    throw unavailable(`The FHIR server that holds the patients ${what}.`, {
      code: 'BAD_GATEWAY',
      cause: thrown,
      ...(thrown.logged === undefined ? {} : { logged: thrown.logged }),
    })
  }
}
