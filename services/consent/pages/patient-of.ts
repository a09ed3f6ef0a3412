import { missing } from '../../../packages/faults/fault.ts'
import { fhirId } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../ports/fhir-store/unless-away.ts'
import { survivorOf } from '../../../ports/patient-index/merges/merge-table.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { recordsOfPatient } from '../store/records.ts'
import type { PageDeps } from './deps.ts'

export const patientParams = { patient: fhirId() }

/**
 * The patient of a page, as the visitor may see them: by reference where consents are all that is known of them. Who was
 * merged is the survivor, with whom whatever is recorded now belongs.
 */
export async function patientOf(
  asked: string,
  visitor: Visitor,
  request: Pick<IncomingRequest, 'signal'>,
  { storeOf, clock, database }: PageDeps,
): Promise<ShownPatient> {
  const reference = await survivorOf(`Patient/${asked}`, mergeTables, database)
  const look = { store: storeOf(visitor), now: clock.now(), signal: request.signal }
  const patient = (await patientsByReference([reference], look)).get(reference)
  if (patient !== undefined) return patient
  const records = await recordsOfPatient(reference, undefined, database)
  if (records.length === 0) throw missing('There is no such patient.')
  return unknown(reference)
}

/** The same for a page that says something of them without the store, too: by reference while that is away. */
export async function patientIfNamed(
  ...asked: Parameters<typeof patientOf>
): Promise<{ readonly patient: ShownPatient; readonly areNamesAway: boolean }> {
  const patient = await unlessAway(() => patientOf(...asked))
  if (patient !== undefined) return { patient, areNamesAway: false }
  const [id, , , { database }] = asked
  return { patient: unknown(await survivorOf(`Patient/${id}`, mergeTables, database)), areNamesAway: true }
}

const unknown = (reference: string): ShownPatient => ({
  ...{ id: reference.replace(/^Patient\//, ''), name: reference },
  ...{ birthDate: undefined, age: undefined, sex: undefined, identifiers: [] },
})
