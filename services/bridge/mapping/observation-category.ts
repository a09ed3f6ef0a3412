import type { CodeableConcept } from '../../../packages/fhir/r4.ts'
import { concept } from './code-map.ts'

/** What kind of observation it is, as R4 sorts them. */
export type ObservationCategory = keyof typeof shown

export const observationCategory = (code: ObservationCategory): CodeableConcept =>
  concept('http://terminology.hl7.org/CodeSystem/observation-category', code, shown[code])

const shown = {
  laboratory: 'Laboratory',
  'vital-signs': 'Vital Signs',
  imaging: 'Imaging',
  procedure: 'Procedure',
  exam: 'Exam',
  therapy: 'Therapy',
  survey: 'Survey',
} as const
