import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { wholeResource } from '../mapping/merge.ts'

/**
 * A patient as the message has them. What it says of one whom it only mentions is among the defaults of the write: who they are
 * must not hang on that.
 */
// Sound: a write of a Patient.
export const patientSaid = (write: Write): Patient => wholeResource(write) as Patient
