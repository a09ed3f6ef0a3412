import { reply } from '../../../packages/http/answer.ts'
import { roles } from '../../../packages/http/who.ts'
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
  run: async ({ params, caller }, { database, settings }) => {
    const record = await findRecord(params.id, caller, database)
    if (record === undefined) throw noSuchRecord()
    return reply(200, viewOf(record), headersOf(record, settings.fhirUrl))
  },
})
