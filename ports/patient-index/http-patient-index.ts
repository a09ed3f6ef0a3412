import { unavailable } from '../../packages/faults/fault.ts'
import type { Bundle, Identifier, Patient } from '../../packages/fhir/r4.ts'
import { FhirCaller, type FhirCallerOptions } from '../../packages/fhir-http/fhir-caller.ts'
import { escapeSearchValue } from '../../packages/fhir-http/search-value.ts'
import { goldenIdOf, goldenIdSystem, goldenTag } from './golden-link.ts'
import type { CallOptions, PatientIndex, Resolution } from './patient-index.ts'
import { matchesIn, matchParameters } from './r4-match.ts'

export interface HttpPatientIndexOptions extends FhirCallerOptions {
  /** The id of the golden record that a patient would get: the same for the same patient. */
  readonly newGoldenId: (patient: Patient) => string
}

/** Any R4 server that has `Patient/$match`; one without is asked by identifier. */
export function httpPatientIndex(options: HttpPatientIndexOptions): PatientIndex {
  const caller = new FhirCaller(options)
  return {
    resolve: (patients, call) =>
      Promise.all(
        patients.map(
          async (patient): Promise<Resolution> =>
            (await recogniseOne(patient, caller, call)) ?? {
              goldenId: await createGolden(options.newGoldenId(patient), caller, call),
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
  const known = await findByIdentifier(patient, caller, call)
  if (known !== undefined) return { goldenId: goldenIdOf(known), outcome: 'known' }
  const answer = await caller.post(
    'Patient/$match',
    matchParameters(patient, { onlyCertainMatches: true, count: 2 }),
    call,
  )
  if (!isUnsupported(answer.status)) {
    const matches = matchesIn(caller.resourceOf<Bundle>(answer, 'Bundle')).filter(({ grade }) => grade === 'certain')
    const people = new Set(matches.map(({ goldenId }) => goldenId))
    const [best] = matches
    // Two people who are both certain are none.
    if (best !== undefined && people.size === 1) {
      return { goldenId: best.goldenId, outcome: 'matched', grade: best.grade, score: best.score }
    }
  }
  return undefined
}

async function findByIdentifier(patient: Patient, caller: FhirCaller, call: CallOptions) {
  const values = (patient.identifier ?? []).flatMap(tokenOf)
  if (values.length === 0) return undefined
  const parameters = new URLSearchParams({ identifier: values.join(','), _count: '2' })
  const answer = await caller.search('Patient', parameters, call)
  const found = caller
    .matchesOf<Patient>(answer, 'Patient')
    .flatMap((one) => (one.id === undefined ? [] : [{ ...one, id: one.id }]))
  const people = new Set(found.map(goldenIdOf))
  return people.size === 1 ? found[0] : undefined
}

const tokenOf = ({ system, value }: Identifier): string[] =>
  system === undefined || value === undefined ? [] : [`${escapeSearchValue(system)}|${escapeSearchValue(value)}`]

/** A conditional create: the same golden record is made once, however often a message is processed. */
async function createGolden(id: string, caller: FhirCaller, call: CallOptions = {}): Promise<string> {
  const golden = {
    resourceType: 'Patient',
    meta: { tag: [goldenTag] },
    identifier: [{ use: 'official', system: goldenIdSystem, value: id }],
    active: true,
  }
  const answer = await caller.post('Patient', golden, call, { 'if-none-exist': `identifier=${goldenIdSystem}|${id}` })
  const created = caller.createdId(answer, 'Patient')
  if (created === undefined) throw unavailable('The patient index made a record and did not say which.')
  return created
}

/** The server has no such operation; asking again would not help. */
export const isUnsupported = (status: number) => status === 404 || status === 405 || status === 501

const signalOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })
