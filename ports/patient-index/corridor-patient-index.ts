import type { Patient } from '../../packages/fhir/r4.ts'
import type { Outbound } from '../../packages/http/outbound.ts'
import type { OutboundResponse } from '../../packages/http/outbound-response.ts'
import { FhirCaller, type FhirCallerOptions } from '../../packages/fhir-http/fhir-caller.ts'
import { httpPatientIndex } from './http-patient-index.ts'
import type { CallOptions, PatientIndex, Resolution } from './patient-index.ts'

export interface CorridorPatientIndexOptions extends FhirCallerOptions {
  readonly outbound: Pick<Outbound, 'send'>
  /** The address of the FHIR service, without `/fhir`. */
  readonly serviceUrl: string
}

/** Corridor's own index in another process: many patients in one call, with reviews for the doubtful. */
export function corridorPatientIndex(options: CorridorPatientIndexOptions): PatientIndex {
  const service = new FhirCaller({ ...options, base: options.serviceUrl })
  const r4 = httpPatientIndex({ ...options, newGoldenId: () => '' })
  const ask = async (question: ResolveQuestion, call: CallOptions | undefined) => {
    if (question.patients.length === 0) return []
    const answer = await service.post('api/patient-index/resolve', question, call, {
      'content-type': 'application/json',
      accept: 'application/json',
    })
    return resolutionsIn(answer, question.patients.length, service)
  }
  return {
    match: (patient, wanted) => r4.match(patient, wanted),
    check: (call) => r4.check(call),
    resolve: (patients, call) => ask({ patients }, call),
    async recognise(patients, call) {
      const resolutions = await ask({ patients, onlyRecognise: true }, call)
      return resolutions.map((resolution) => (resolution.outcome === 'new' ? undefined : resolution))
    },
  }
}

interface ResolveQuestion {
  readonly patients: readonly Patient[]
  readonly onlyRecognise?: boolean
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
