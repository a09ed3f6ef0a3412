import { faultOf } from '../../../packages/faults/fault.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { cannotSearch } from '../../../ports/fhir-store/cannot-search.ts'
import type { FhirStore, SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import { identifierToken } from '../../../ports/fhir-store/identifier-token.ts'
import { searchText } from '../../../ports/fhir-store/search-text.ts'
import type { PatientIndex } from '../../../ports/patient-index/patient-index.ts'
import { goldenIdOf, isGoldenBefore, isLinkedTo } from '../../../ports/patient-index/golden-link.ts'
import type { Breakers } from '../breakers/breakers.ts'
import { shownIdentifiers, type FoundPatient } from './query-reply.ts'
import type { CandidateQuery, PatientQuery, PersonQuery, TextCriterion } from '../mapping/families/qbp/query.ts'

export interface FindDeps {
  readonly store: FhirStore
  readonly index: PatientIndex
  readonly breakers: Pick<Breakers, 'call'>
}

/** Somebody whom a query is about, with every record that stands for them. */
export interface FoundPerson extends FoundRecord {
  /** Records that were golden until they were merged into the golden record: their consents are the person's. */
  readonly goldenBefore: readonly string[]
  /** Those with numbers that the query asks for. Each is kept apart until consent has said whether it may be told of. */
  readonly others: readonly StoredPatient[]
}

interface FoundRecord extends FoundPatient {
  readonly patient: StoredPatient
  readonly goldenId: string
}

/** More than anybody reads through: a query that finds more should ask for more. */
const candidatesMax = 50

/** The patients that a query means, the best first. */
export async function findPatients(query: PatientQuery, signal: AbortSignal, deps: FindDeps): Promise<FoundPerson[]> {
  if (query.kind === 'allocation') return []
  const found = query.kind === 'candidates' ? await candidates(query, signal, deps) : await person(query, signal, deps)
  return found.length === 0 ? [] : withOthers(found, query, signal, deps)
}

async function person({ identifier }: PersonQuery, signal: AbortSignal, deps: FindDeps): Promise<FoundRecord[]> {
  const [matches = []] = await deps.breakers.call(
    'fhir-server',
    () => deps.store.findByIdentifiers<StoredPatient>([{ type: 'Patient', ...identifier }], { signal }),
    signal,
  )
  const inUse = matches.filter(isShown)
  return inUse.slice(0, 1).map((patient) => ({ patient, goldenId: goldenIdOf(patient) }))
}

/** All criteria must hold, as text is searched: from its beginning. When nobody fits, the index is asked who is alike. */
async function candidates(query: CandidateQuery, signal: AbortSignal, deps: FindDeps): Promise<FoundRecord[]> {
  const parameters = searchOf(query)
  const exact = await deps.breakers.call(
    'fhir-server',
    () => deps.store.search<StoredPatient>('Patient', { ...parameters, _count: String(candidatesMax) }, { signal }),
    signal,
  )
  const shown = exact.filter(isShown)
  if (shown.length > 0) return shown.map((patient) => ({ patient, goldenId: goldenIdOf(patient), score: 1 }))
  const alike = await deps.breakers.call(
    'patient-index',
    () => unlessTooLittle(() => deps.index.match(patientOf(query), { count: candidatesMax, signal })),
    signal,
  )
  return alike
    .filter(({ patient }) => isShown(patient))
    .map(({ patient, goldenId, score }) => ({ patient, goldenId, score }))
}

/** A first name alone is a question that the index refuses; then there is nobody. */
async function unlessTooLittle<T>(work: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await work()
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (cannotSearch(fault)) return []
    throw fault
  }
}

type StoredPatient = Patient & { readonly id: string }

/** Not a golden record, which says nothing of a person, and nobody who was merged away. */
const isShown = (patient: Patient): boolean =>
  patient.active !== false && (patient.name !== undefined || (patient.identifier?.length ?? 0) > 1)

/** The same person has other numbers elsewhere: on all records that refer to the same golden record. One search for all. */
async function withOthers(
  found: readonly FoundRecord[],
  query: PatientQuery,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<FoundPerson[]> {
  const goldenIds = [...new Set(found.map(({ goldenId }) => goldenId))]
  const link = goldenIds.map((id) => `Patient/${id}`).join(',')
  const linked = await deps.breakers.call(
    'fhir-server',
    () => deps.store.searchAll<StoredPatient>('Patient', { link }, { signal }),
    signal,
  )
  return found.map((one) => {
    const records = linked.filter((record) => record.id !== one.patient.id && isLinkedTo(record, one.goldenId))
    return {
      ...one,
      goldenBefore: records.filter(wasGoldenBefore(one.goldenId)).map(({ id }) => id),
      others: records.filter((record) => shownIdentifiers(record, query).length > 0),
    }
  })
}

const wasGoldenBefore = (goldenId: string) => (record: StoredPatient) =>
  isGoldenBefore(record) && goldenIdOf(record) === goldenId

/** The person as one Patient: what the record says, with the numbers of the others. */
export function asOnePatient({ patient, others }: Pick<FoundPerson, 'patient' | 'others'>): StoredPatient {
  const identifier = [patient, ...others].flatMap((record) => record.identifier ?? [])
  return { ...patient, identifier: identifier.filter(({ use }) => use !== 'old') }
}

function searchOf({ criteria }: CandidateQuery): SearchParameters {
  const identifiers = criteria.identifiers.map((one) => identifierToken({ type: 'Patient', ...one }))
  return {
    ...(identifiers.length === 0 ? {} : { identifier: identifiers.join(',') }),
    ...texts({
      ...{ family: criteria.family, given: criteria.given, phone: criteria.phone },
      ...{ 'address-city': criteria.city, 'address-state': criteria.state, 'address-country': criteria.country },
      ...{ 'address-postalcode': criteria.postalCode, address: criteria.street },
    }),
    ...(criteria.birthDate === undefined ? {} : { birthdate: criteria.birthDate }),
    ...(criteria.gender === undefined ? {} : { gender: criteria.gender }),
  }
}

const texts = (criteria: Readonly<Record<string, TextCriterion | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(criteria).flatMap(([name, criterion]) =>
      criterion === undefined ? [] : [[name, searchText(criterion.text)]],
    ),
  )

function patientOf({ criteria }: CandidateQuery): Patient {
  const { family, given, birthDate, gender, phone, postalCode, identifiers } = criteria
  return {
    resourceType: 'Patient',
    identifier: identifiers.map(({ system, value }) => (system === undefined ? { value } : { system, value })),
    ...(family === undefined && given === undefined
      ? {}
      : {
          name: [
            {
              ...(family === undefined ? {} : { family: family.text }),
              ...(given === undefined ? {} : { given: [given.text] }),
            },
          ],
        }),
    ...(birthDate === undefined ? {} : { birthDate }),
    ...(gender === undefined ? {} : { gender }),
    ...(phone === undefined ? {} : { telecom: [{ system: 'phone', value: phone.text }] }),
    ...(postalCode === undefined ? {} : { address: [{ postalCode: postalCode.text }] }),
  }
}
