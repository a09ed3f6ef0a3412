import { reply } from '../../../packages/http/answer.ts'
import { text } from '../../../packages/http/fields.ts'
import { roles } from '../../../packages/http/who.ts'
import { auditLook } from '../audit/audit-look.ts'
import { consentRoute } from '../deps.ts'
import { findRecordByFhirId } from '../store/records.ts'
import { noSuchRecord } from './record-address.ts'
import { ConsentView, headersOf, viewOf } from './view.ts'

export const getConsentByFhirId = consentRoute({
  method: 'GET',
  path: '/api/consent/fhir/:fhirId',
  who: roles('CLINICIAN', 'ADMIN'),
  summary: 'One consent record of the caller, by the logical id of its FHIR Consent',
  tags: ['Consents'],
  input: { params: { fhirId: text() } },
  output: { 200: ConsentView },
  run: async ({ params, caller, request }, deps) => {
    const record = await findRecordByFhirId(params.fhirId, caller, deps.database)
    if (record === undefined) throw noSuchRecord()
    await auditLook({ patientId: record.patientId, recordId: record.id }, { caller, request }, deps)
    return reply(200, viewOf(record), headersOf(record, deps.settings.fhirUrl))
  },
})
