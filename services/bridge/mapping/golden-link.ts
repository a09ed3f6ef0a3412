import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Write } from './mapped.ts'

/** The write of a Patient with the link to its golden record. Of a patient who is only mentioned, the link is all that may change. */
export function withGoldenLink(write: Write, goldenId: string | undefined): Write {
  if (goldenId === undefined) return write
  // Sound: golden records are of Patients.
  const resource = write.resource as Patient
  const link = [...(resource.link ?? []), { type: 'refer' as const, other: { reference: `Patient/${goldenId}` } }]
  if (write.mode !== 'ensure') return { ...write, resource: { ...resource, link } }
  const defaults: Partial<Patient> = { ...(write.defaults as Partial<Patient>), ...resource }
  return { ...write, mode: 'upsert', resource: { resourceType: 'Patient', link }, defaults }
}
