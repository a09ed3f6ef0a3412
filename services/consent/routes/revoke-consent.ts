import { reply } from '../../../packages/http/answer.ts'
import { text } from '../../../packages/http/fields.ts'
import { IfMatch } from '../../../packages/http/version-tag.ts'
import { roles } from '../../../packages/http/who.ts'
import { auditLook } from '../audit/audit-look.ts'
import { consentRoute } from '../deps.ts'
import { checkMayChange, revokeRecord } from '../record/save.ts'
import { findRecord } from '../store/records.ts'
import { changedMeanwhile, checkIfMatch } from './if-match.ts'
import { noSuchRecord, RecordId } from './record-address.ts'
import { ConsentView, headersOf, viewOf } from './view.ts'

export const revokeConsent = consentRoute({
  method: 'POST',
  path: '/api/consent/:id/revoke',
  who: roles('CLINICIAN', 'ADMIN'),
  summary: 'Revoke a consent record',
  description: 'The record is kept as inactive; the reason is added to its note. Revoking it again changes nothing.',
  tags: ['Consents'],
  input: { params: RecordId, headers: IfMatch, query: { reason: text({ max: 256, optional: true }) } },
  output: { 200: ConsentView },
  run: async ({ params, query, headers, caller, request }, deps) => {
    const call = { caller, request }
    const record = await findRecord(params.id, caller, deps.database)
    if (record === undefined) throw noSuchRecord()
    checkMayChange(record, caller)
    checkIfMatch(headers['if-match'], record)
    const own = record.status === 'inactive' ? undefined : await revokeRecord(record, query.reason, call, deps)
    const revoked = own ?? (await findRecord(params.id, caller, deps.database))
    // Whoever lost the race to another revocation has what they wanted; to another change they have not.
    if (revoked?.status !== 'inactive') throw changedMeanwhile()
    if (own === undefined) await auditLook({ patientId: record.patientId, recordId: record.id }, call, deps)
    return reply(200, viewOf(revoked), headersOf(revoked, deps.settings.fhirUrl))
  },
})
