import { forbidden } from '../../../packages/faults/fault.ts'
import { reply } from '../../../packages/http/answer.ts'
import { roles } from '../../../packages/http/who.ts'
import { conflictHeaders } from '../conflicts.ts'
import { consentRoute } from '../deps.ts'
import { NewConsentBody } from '../record/consent-body.ts'
import { newTerms, wrongInNew } from '../record/new-terms.ts'
import { createRecord } from '../record/save.ts'
import { ConsentView, headersOf, viewOf } from './view.ts'

export const createConsent = consentRoute({
  method: 'POST',
  path: '/api/consent',
  who: roles('CLINICIAN', 'ADMIN'),
  summary: 'Record a consent',
  description:
    'Without a patient the record is for a user or system context; written by an ADMIN it is then a domain policy. The header X-Consent-Conflicts lists active records of the patient, and policies that refuse, that say the opposite for some of the same, today or later.',
  tags: ['Consents'],
  input: { body: NewConsentBody },
  output: { 201: ConsentView },
  alsoWrong: ({ body, unsound }, { resourceTypes }) => wrongInNew(body, resourceTypes, unsound),
  run: async ({ body, caller, request }, deps) => {
    const terms = newTerms(body, caller.organisation, deps.resourceTypes)
    // Who has none records for none: for any they would be the one clinician whom the setting does not bind.
    const isForeign = terms.organisationId !== (caller.organisation ?? null)
    if (deps.settings.strictOrganisation && isForeign && !caller.roles.has('ADMIN')) {
      throw forbidden('You can record consents for your own organisation only.')
    }
    const record = await createRecord(terms, { caller, request }, deps)
    return reply(201, viewOf(record), {
      ...headersOf(record, deps.settings.fhirUrl),
      ...(await conflictHeaders(record, deps)),
      location: `/api/consent/${record.id}`,
    })
  },
})
