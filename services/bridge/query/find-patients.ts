import { faultOf } from '../../../packages/faults/fault.ts'
import { fold } from '../../../packages/fhir/fold.ts'
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

/** Whoever was found, the best first. */
export interface FoundPeople {
  readonly found: readonly FoundPerson[]
  /** More may fit than were looked at. */
  readonly hasMore: boolean
}

export const nobodyFound: FoundPeople = { found: [], hasMore: false }

/** More than anybody reads through: a query that finds more should ask for more. */
const candidatesMax = 50

/** The patients that a query means. */
export async function findPatients(query: PatientQuery, signal: AbortSignal, deps: FindDeps): Promise<FoundPeople> {
  if (query.kind === 'allocation') return nobodyFound
  const all = query.kind === 'candidates' ? await candidates(query, signal, deps) : await person(query, signal, deps)
  const records = all.slice(0, candidatesMax)
  const found = records.length === 0 ? [] : await withOthers(records, query, signal, deps)
  return { found, hasMore: all.length > candidatesMax }
}

/** Everybody who has the number: several records may be of one person, and a national number may be that of a mother and her child. */
async function person({ identifier }: PersonQuery, signal: AbortSignal, deps: FindDeps): Promise<FoundRecord[]> {
  const [matches = []] = await deps.breakers.call(
    'fhir-server',
    () => deps.store.findByIdentifiers<StoredPatient>([{ type: 'Patient', ...identifier }], { signal }),
    signal,
  )
  const inUse = matches.filter(isShown).map((patient) => ({ patient, goldenId: goldenIdOf(patient) }))
  return [...Map.groupBy(inUse, ({ goldenId }) => goldenId).values()].flatMap((ofPerson) => ofPerson.slice(0, 1))
}

/**
 * All criteria must hold, as text is searched: from its beginning. When nobody fits, the index is asked who is alike. One more than
 * are told of shows whether there are more.
 */
async function candidates(query: CandidateQuery, signal: AbortSignal, deps: FindDeps): Promise<FoundRecord[]> {
  const parameters = searchOf(query)
  const exact = await deps.breakers.call(
    'fhir-server',
    () => deps.store.search<StoredPatient>('Patient', { ...parameters, _count: String(candidatesMax + 1) }, { signal }),
    signal,
  )
  const shown = exact.filter(isShown)
  if (shown.length > 0) {
    return shown
      .map((patient) => ({ patient, goldenId: goldenIdOf(patient), score: scoreOf(patient, query) }))
      .toSorted((one, other) => other.score - one.score)
  }
  const alike = await deps.breakers.call(
    'patient-index',
    () => unlessTooLittle(() => deps.index.match(patientOf(query), { count: candidatesMax + 1, signal })),
    signal,
  )
  return alike
    .filter(({ patient }) => isShown(patient))
    .map(({ patient, goldenId, score }) => ({ patient, goldenId, score }))
}

/** Who has more than was asked for, and not with a star, fits less: `SMITH` finds Smithson, too. */
const scoreOf = ({ name: names = [], address: addresses = [] }: Patient, { criteria }: CandidateQuery): number => {
  const all: readonly (readonly [TextCriterion | undefined, readonly (string | undefined)[]])[] = [
    [criteria.family, names.map(({ family }) => family)],
    [criteria.given, names.flatMap(({ given = [] }) => given)],
    [criteria.street, addresses.flatMap(({ line = [] }) => line)],
    [criteria.city, addresses.map(({ city }) => city)],
    [criteria.state, addresses.map(({ state }) => state)],
    [criteria.postalCode, addresses.map(({ postalCode }) => postalCode)],
    [criteria.country, addresses.map(({ country }) => country)],
  ]
  const isWhole = all.every(
    ([criterion, texts]) =>
      criterion === undefined || criterion.isPrefix || texts.some((text) => fold(text ?? '') === fold(criterion.text)),
  )
  return isWhole ? 1 : 0.8
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
