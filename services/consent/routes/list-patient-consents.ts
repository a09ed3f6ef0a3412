import { forbidden, invalid } from '../../../packages/faults/fault.ts'
import { flag, list, optional, text } from '../../../packages/http/fields.ts'
import { roles } from '../../../packages/http/who.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { ownPatient } from '../../../packages/tokens/own-patient.ts'
import { isSamePerson } from '../../../ports/patient-index/merges/merge-table.ts'
import { auditLook } from '../audit/audit-look.ts'
import { consentRoute } from '../deps.ts'
import { patientReference } from '../record/references.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { recordsOfPatient } from '../store/records.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import { ConsentView, viewOf } from './view.ts'

/** Clients write a reference in an address plainly, encoded, or as the bare id. */
export const listPatientConsents = ['/api/consent/patient/:patientId', '/api/consent/patient/Patient/:patientId'].map(
  (path, index) =>
    consentRoute({
      method: 'GET',
      path,
      who: roles('CLINICIAN', 'ADMIN', 'PATIENT'),
      summary: 'The consents of a patient, newest first',
      description: 'Patients see their own only.',
      tags: ['Consents'],
      hidden: index > 0,
      input: {
        params: { patientId: text({ max: 160 }) },
        query: { activeOnly: optional(flag({ description: 'Only those that are active and hold today.' })) },
      },
      output: { 200: list(ConsentView) },
      run: async ({ params, query, caller, request }, deps) => {
        const { database, clock, settings } = deps
        const patientId = patientReference(params.patientId)
        if (patientId === undefined) {
          throw invalid({ path: 'patientId', message: 'must be Patient/<id>' })
        }
        if (!(await maySee(patientId, caller, database))) throw forbidden('You are not allowed to do this.')
        const activeOn = query.activeOnly === true ? dayIn(settings.timeZone, clock.now()) : undefined
        // At the same time: whoever waits for a list does not wait for two things.
        const [records] = await Promise.all([
          recordsOfPatient(patientId, activeOn, database),
          auditLook({ patientId, recordId: null }, { caller, request }, deps),
        ])
        return records.map(viewOf)
      },
    }),
)

/** Patients have their own id, and those of records that were merged into theirs or theirs into. */
async function maySee(patientId: string, caller: Caller, on: Queryable): Promise<boolean> {
  if (caller.roles.has('CLINICIAN') || caller.roles.has('ADMIN')) return true
  const self = ownPatient(caller)
  return self !== undefined && isSamePerson(self, patientId, mergeTables, on)
}
