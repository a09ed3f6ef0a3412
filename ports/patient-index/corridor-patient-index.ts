import type { Clock } from '../../packages/clock/clock.ts'
import type { CapabilityStatement, Patient } from '../../packages/fhir/r4.ts'
import type { OutboundResponse } from '../../packages/http/outbound/outbound-response.ts'
import { FhirCaller } from '../../packages/fhir-http/fhir-caller.ts'
import { httpPatientIndex, isUnsupported, type HttpPatientIndexOptions } from './http-patient-index.ts'
import type { PatientIndex, Resolution } from './patient-index.ts'
import type { CallOptions } from '../call-options.ts'

export interface CorridorPatientIndexOptions extends HttpPatientIndexOptions {
  readonly clock: Clock
}

/**
 * The index of whatever server is at the address. Corridor's own resolves many patients in one call and has a person
 * decide where it is in doubt; any other is asked in the way of R4. What the server says it is, is believed for ten
 * minutes: people are described to nobody but the index.
 */
export function corridorPatientIndex(options: CorridorPatientIndexOptions): PatientIndex {
  const service = new FhirCaller({ ...options, base: options.base.replace(/\/fhir$/, '') })
  const r4 = httpPatientIndex(options)
  const isCorridor = askWhatItIs(options)
  const ask = async (question: ResolveQuestion, call: CallOptions | undefined) => {
    if (!(await isCorridor(call))) return undefined
    const answer = await service.post('api/patient-index/resolve', question, call, {
      'content-type': 'application/json',
      accept: 'application/json',
    })
    // A gateway may let through no more than the FHIR API.
    return isUnsupported(answer.status) ? undefined : resolutionsIn(answer, question.patients.length, service)
  }
  return {
    match: (patient, wanted) => r4.match(patient, wanted),
    check: (call) => r4.check(call),
    async resolve(patients, call) {
      if (patients.length === 0) return []
      return (await ask({ patients }, call)) ?? r4.resolve(patients, call)
    },
    async recognise(patients, call) {
      if (patients.length === 0) return []
      const resolutions = await ask({ patients, onlyRecognise: true }, call)
      if (resolutions === undefined) return r4.recognise(patients, call)
      return resolutions.map((resolution) => (resolution.outcome === 'new' ? undefined : resolution))
    },
  }
}

interface ResolveQuestion {
  readonly patients: readonly Patient[]
  readonly onlyRecognise?: boolean
}

const believedMs = 600_000

function askWhatItIs({ clock, ...options }: CorridorPatientIndexOptions) {
  const caller = new FhirCaller(options)
  let known: { readonly isCorridor: boolean; readonly untilMs: number } | undefined
  return async (call: CallOptions | undefined): Promise<boolean> => {
    const nowMs = clock.monotonicMs()
    if (known !== undefined && nowMs < known.untilMs) return known.isCorridor
    const answer = await caller.get('metadata', call)
    const { software } = caller.resourceOf<CapabilityStatement>(answer, 'CapabilityStatement')
    known = { isCorridor: software?.name === 'Corridor', untilMs: nowMs + believedMs }
    return known.isCorridor
  }
}

function resolutionsIn(answer: OutboundResponse, wanted: number, service: FhirCaller): Resolution[] {
  if (answer.status !== 200) throw service.unusable(`status ${answer.status}`)
  const value = answer.json()
  const list = typeof value === 'object' && value !== null && 'resolutions' in value ? value.resolutions : undefined
  if (!Array.isArray(list) || list.length !== wanted || !list.every(isResolution)) {
    throw service.unusable('not one resolution a patient')
  }
  return list
}

function isResolution(value: unknown): value is Resolution {
  return typeof value === 'object' && value !== null && 'goldenId' in value && typeof value.goldenId === 'string'
}
