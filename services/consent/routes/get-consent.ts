import { reply } from '../../../packages/http/answer.ts'
import { roles } from '../../../packages/http/who.ts'
import { auditLook } from '../audit/audit-look.ts'
import { consentRoute } from '../deps.ts'
import { findRecord } from '../store/records.ts'
import { noSuchRecord, RecordId } from './record-address.ts'
import { ConsentView, headersOf, viewOf } from './view.ts'

export const getConsent = consentRoute({
  method: 'GET',
  path: '/api/consent/:id',
  who: roles('CLINICIAN', 'ADMIN'),
  summary: 'One consent record of the caller',
  tags: ['Consents'],
  input: { params: RecordId },
  output: { 200: ConsentView },
  run: async ({ params, caller, request }, deps) => {
    const record = await findRecord(params.id, caller, deps.database)
    if (record === undefined) throw noSuchRecord()
    await auditLook({ patientId: record.patientId, recordId: record.id }, { caller, request }, deps)
    return reply(200, viewOf(record), headersOf(record, deps.settings.fhirUrl))
  },
})
