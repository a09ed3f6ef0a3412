import { reply } from '../../../packages/http/answer.ts'
import { IfMatch } from '../../../packages/http/version-tag.ts'
import { roles } from '../../../packages/http/who.ts'
import { survivorOf } from '../../../ports/patient-index/merges/merge-table.ts'
import { auditLook } from '../audit/audit-look.ts'
import { conflictHeaders } from '../conflicts.ts'
import { consentRoute, type ConsentDeps } from '../deps.ts'
import { changedTerms } from '../record/changed-terms.ts'
import { ConsentChangeBody, type ConsentChange } from '../record/consent-body.ts'
import { failedFields } from '../record/field-rules.ts'
import { changeRecord, checkMayChange } from '../record/save.ts'
import { patientReference } from '../record/references.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { findRecord } from '../store/records.ts'
import { changedMeanwhile, checkIfMatch } from './if-match.ts'
import { noSuchRecord, RecordId } from './record-address.ts'
import { ConsentView, headersOf, viewOf } from './view.ts'

export const changeConsent = consentRoute({
  method: 'PUT',
  path: '/api/consent/:id',
  who: roles('CLINICIAN', 'ADMIN'),
  summary: 'Change a consent record',
  description:
    'Only fields that are given and not null are applied. With If-Match a record that was changed in the meantime answers 409; so does one that is inactive.',
  tags: ['Consents'],
  input: { params: RecordId, headers: IfMatch, body: ConsentChangeBody },
  output: { 200: ConsentView },
  // What depends on the record is told only to whoever may see it.
  alsoWrong: ({ body }, { resourceTypes }) => failedFields(body, resourceTypes),
  run: async ({ params, headers, body, caller, request }, deps) => {
    const call = { caller, request }
    const record = await findRecord(params.id, caller, deps.database)
    if (record === undefined) throw noSuchRecord()
    checkMayChange(record, caller)
    checkIfMatch(headers['if-match'], record)
    const terms = changedTerms(record, await asSettled(body, deps), deps.resourceTypes)
    const changed = terms === undefined ? record : await changeRecord(record, terms, call, deps)
    if (changed === undefined) throw changedMeanwhile()
    if (terms === undefined) await auditLook({ patientId: record.patientId, recordId: record.id }, call, deps)
    return reply(200, viewOf(changed), {
      ...headersOf(changed, deps.settings.fhirUrl),
      ...(await conflictHeaders(changed, deps)),
    })
  },
})

/** Who repeats the patient as they know them may not know yet that they were merged. */
async function asSettled(change: ConsentChange, { database }: Pick<ConsentDeps, 'database'>): Promise<ConsentChange> {
  const patientId = patientReference(change.patientId ?? '')
  return patientId === undefined ? change : { ...change, patientId: await survivorOf(patientId, mergeTables, database) }
}
