import type { Annotation, CodeableConcept, Observation } from '../../../packages/fhir/r4.ts'
import type { PutEncounter } from './encounter.ts'
import type { ObservationCategory } from './observation-category.ts'
import type { PutPatient } from './patient.ts'

/** What an OBX does not say itself and what stands around it does. */
export interface ObservationAbout {
  readonly patient: PutPatient
  readonly encounter?: PutEncounter | undefined
  /** To what it belongs (report, order, specimen, patient): a part of the key of an OBX without number of its own. */
  readonly within: string
  /** What kind of results stand here, where the message says it. */
  readonly category?: ObservationCategory | undefined
  /** For an OBX without OBX-3. */
  readonly code?: CodeableConcept | undefined
  /** Elements that hold where the OBX says nothing: the time of OBR-7, the specimen, the status of OBR-25. */
  readonly inherited?: Partial<Observation>
  /** What is to be known of each of them, beside its own notes. */
  readonly notes?: readonly Annotation[]
  /** Nothing here has a number: only the time tells one measurement from the next. */
  readonly isToldByTime?: boolean
}
