import { unavailable } from '../../packages/faults/fault.ts'
import { fold } from '../../packages/fhir/fold.ts'
import type { Bundle, Identifier, Patient } from '../../packages/fhir/r4.ts'
import { FhirCaller, type FhirCallerOptions } from '../../packages/fhir-http/fhir-caller.ts'
import { escapeSearchValue } from '../../packages/fhir-http/search-value.ts'
import { goldenIdOf, goldenIdSystem, goldenTag, linkedPatientId } from './golden-link.ts'
import { isNumberOfNobody, numberKind, type NumberKind } from './number-kinds.ts'
import type { PatientIndex, Resolution } from './patient-index.ts'
import type { CallOptions } from '../call-options.ts'
import { matchesIn, matchParameters } from './r4-match.ts'

export interface HttpPatientIndexOptions extends FhirCallerOptions {
  /** The id of the golden record that a patient would get: the same for the same patient. */
  readonly newGoldenId: (patient: Patient) => string
}

/** Any R4 server that has `Patient/$match`; one without is asked by national number. */
export function httpPatientIndex(options: HttpPatientIndexOptions): PatientIndex {
  const caller = new FhirCaller(options)
  return {
    resolve: (patients, call) =>
      Promise.all(
        patients.map(
          async (patient): Promise<Resolution> =>
            (await recogniseOne(patient, caller, call)) ?? {
              goldenId: await goldenIdFor(patient, options.newGoldenId(patient), caller, call),
              outcome: 'new',
            },
        ),
      ),
    recognise: (patients, call) => Promise.all(patients.map((patient) => recogniseOne(patient, caller, call))),
    async match(patient, { signal, ...wanted } = {}) {
      const answer = await caller.post('Patient/$match', matchParameters(patient, wanted), { ...signalOf(signal) })
      return matchesIn(caller.resourceOf<Bundle>(answer, 'Bundle'))
    },
    async check(call) {
      const answer = await caller.get('metadata', call)
      caller.resourceOf(answer, 'CapabilityStatement')
    },
  }
}

async function recogniseOne(
  patient: Patient,
  caller: FhirCaller,
  call: CallOptions = {},
): Promise<Resolution | undefined> {
  const known = await findByRecordNumber(patient, caller, call)
  if (known !== undefined) return known
  const answer = await caller.post(
    'Patient/$match',
    matchParameters(patient, { onlyCertainMatches: true, count: 2 }),
    call,
  )
  if (isUnsupported(answer.status)) return findByNationalNumber(patient, caller, call)
  const matches = matchesIn(caller.resourceOf<Bundle>(answer, 'Bundle')).filter(({ grade }) => grade === 'certain')
  const people = new Set(matches.map(({ goldenId }) => goldenId))
  const [best] = matches
  // Two people who are both certain are none.
  if (best === undefined || people.size !== 1) return undefined
  return { goldenId: best.goldenId, outcome: 'matched', grade: best.grade, score: best.score }
}

/** The very same record, seen before. Where several have a number of it, the first of its numbers counts. */
async function findByRecordNumber(patient: Patient, caller: FhirCaller, call: CallOptions) {
  const numbers = numbersOf(patient, 'record')
  const found = await findByNumbers(numbers, caller, call)
  const known = numbers.flatMap((number) => found.filter((one) => numbersOf(one, 'record').includes(number)))
  const [goldenId, ...rivals] = new Set(known.map(goldenIdOf))
  if (goldenId === undefined) return undefined
  return { goldenId, outcome: 'known', ...(rivals.length === 0 ? {} : { rivals }) } as const
}

/** Mother and newborn may have one number, and a family one card: birth date and given names have to be the same, too. */
async function findByNationalNumber(patient: Patient, caller: FhirCaller, call: CallOptions) {
  const found = await findByNumbers(numbersOf(patient, 'national', 'personal'), caller, call)
  const [goldenId, ...others] = new Set(found.map(goldenIdOf))
  if (goldenId === undefined || others.length > 0 || !found.every((one) => isAlike(one, patient))) return undefined
  return { goldenId, outcome: 'matched' } as const
}

async function findByNumbers(numbers: readonly string[], caller: FhirCaller, call: CallOptions) {
  if (numbers.length === 0) return []
  const parameters = new URLSearchParams({ identifier: numbers.join(','), _count: String(foundMax) })
  const answer = await caller.search('Patient', parameters, call)
  return caller
    .matchesOf<Patient>(answer, 'Patient')
    .flatMap((one) => (one.id === undefined ? [] : [{ ...one, id: one.id }]))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Two records of a number are a few too many already. */
const foundMax = 20

/** As they are sought. A number that went with a merged record is not its own any more. */
const numbersOf = ({ identifier = [] }: Patient, ...kinds: readonly NumberKind[]): string[] =>
  identifier
    .filter((one) => one.use !== 'old' && kinds.includes(numberKind(one)) && !isNumberOfNobody(one))
    .flatMap(tokenOf)

const tokenOf = ({ system, value }: Identifier): string[] =>
  system === undefined || value === undefined ? [] : [`${escapeSearchValue(system)}|${escapeSearchValue(value)}`]

/** Who has fewer given names has left some out; twins may share one, and each has its own beside it. */
function isAlike(one: Patient, other: Patient): boolean {
  if (one.birthDate === undefined || one.birthDate !== other.birthDate) return false
  const [fewer = [], more = []] = [givenNames(one), givenNames(other)].sort((a, b) => a.length - b.length)
  return fewer.length > 0 && fewer.every((name) => more.includes(name))
}

const givenNames = ({ name: names = [] }: Patient): string[] => [
  ...new Set(names.flatMap(({ given = [] }) => given.flatMap((name) => fold(name).match(/[\p{L}\p{N}]+/gu) ?? []))),
]

/**
 * The id follows from the first number. Where the number was another's before, that one's golden record is there, with their
 * records: whoever has it now gets the next one that is free.
 */
async function goldenIdFor(patient: Patient, id: string, caller: FhirCaller, call?: CallOptions): Promise<string> {
  const numbers = numbersOf(patient, 'record')
  for (let nth = 1; nth <= bearersMax; nth++) {
    const golden = await createGolden(nth === 1 ? id : `${id}.${nth}`, caller, call)
    if (golden.isNew || numbers.length === 0 || !(await isOfOthers(golden.id, numbers, caller, call))) return golden.id
  }
  throw unavailable('The patient index has a number that was given to too many people, one after the other.')
}

/** More than anybody gives one number to. */
const bearersMax = 8

/** A record that has the number by now was written in the meantime: it is the patient's own. */
async function isOfOthers(goldenId: string, numbers: readonly string[], caller: FhirCaller, call?: CallOptions) {
  const parameters = new URLSearchParams({ link: `Patient/${goldenId}`, _count: String(foundMax) })
  const records = caller.matchesOf<Patient>(await caller.search('Patient', parameters, call), 'Patient')
  const linked = records.filter((one) => linkedPatientId(one, 'refer') === goldenId)
  return linked.length > 0 && !linked.some((one) => numbersOf(one, 'record').some((own) => numbers.includes(own)))
}

/** A conditional create: the same golden record is made once, however often a message is processed. */
async function createGolden(id: string, caller: FhirCaller, call: CallOptions = {}) {
  const golden = {
    resourceType: 'Patient',
    meta: { tag: [goldenTag] },
    identifier: [{ use: 'official', system: goldenIdSystem, value: id }],
    active: true,
  }
  const answer = await caller.post('Patient', golden, call, { 'if-none-exist': `identifier=${goldenIdSystem}|${id}` })
  const created = caller.createdId(answer, 'Patient')
  if (created === undefined) throw unavailable('The patient index made a record and did not say which.')
  return { id: created, isNew: answer.status === 201 }
}

/** The server has no such operation; asking again would not help. */
export const isUnsupported = (status: number) => status === 404 || status === 405 || status === 501

const signalOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })
