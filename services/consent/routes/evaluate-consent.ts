import { Type } from 'typebox'
import { forbidden } from '../../../packages/faults/fault.ts'
import { day, instant, list, object, oneOf, optional, orNull, text, uuid } from '../../../packages/http/fields.ts'
import type { FailedRequest } from '../../../packages/http/route.ts'
import { roles } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { failedCall } from '../audit/failed-call.ts'
import { consentRoute, type ConsentDeps } from '../deps.ts'
import { askerOf, evaluate } from '../evaluate.ts'
import { provisionTypes } from '../record/consent-record.ts'
import { actorsMax, identifiersIn, readQuestion, wrongInQuestion, type AskedTexts } from '../question.ts'

const ConsentDecision = object({
  permitted: Type.Boolean(),
  provisionType: oneOf(provisionTypes),
  consentRecordId: orNull(Type.Integer()),
  reason: text({ description: 'The checks with their results, and the verdict.' }),
  regulatoryBasis: orNull(text()),
  outcome: oneOf(['PERMIT', 'DENY', 'NO_CONSENT']),
  decisionId: uuid({ description: 'The same as in the audit trail.' }),
  evaluatedAt: instant(),
})

const word = (description: string) => text({ max: 64, optional: true, description })

export const evaluateConsent = consentRoute({
  method: 'POST',
  path: '/api/consent/evaluate',
  who: roles('SYSTEM', 'ADMIN'),
  summary: 'May this actor do this?',
  description:
    'Denied unless a record permits it, and whenever one denies it. Every call is audited, refused ones too.',
  tags: ['Decisions'],
  input: {
    query: {
      patientId: text({ min: 1, max: 160, description: 'Patient/<id>' }),
      actorReference: list(text({ max: 256 }), {
        min: 1,
        max: actorsMax,
        description: 'Device/<id> or Organization/<id>; repeated where the actor has several.',
      }),
      resourceType: text({ max: 64 }),
      fhirOperation: word('READ, SEARCH, CREATE, UPDATE or DELETE'),
      httpMethod: word('GET, POST, PUT, PATCH or DELETE; used when fhirOperation is absent. READ when both are.'),
      purposeOfUse: word('Default TREATMENT'),
      asOf: optional(day({ description: 'ADMIN only: as it would have been at the end of this day.' })),
    },
  },
  output: { 200: ConsentDecision },
  alsoWrong: ({ query }, { resourceTypes }) => wrongInQuestion(query, resourceTypes),
  onFault: auditFailure,
  run: async ({ query, caller, request }, deps) => {
    if (query.asOf !== undefined && !caller.roles.has('ADMIN')) {
      throw forbidden('Only an administrator may evaluate consent as of another day.')
    }
    const question = readQuestion(query, deps.resourceTypes)
    const answer = await evaluate(question, askerOf(caller, request), deps, query.asOf)
    const { evaluatedAt, records: _records, ...decision } = answer
    return { ...decision, evaluatedAt: evaluatedAt.toISOString() }
  },
})

function auditFailure({ fault, caller, request }: FailedRequest, { audit, clock, resourceTypes }: ConsentDeps): void {
  // Sound: whoever a route with roles finds is the caller of a verified token.
  const asker = askerOf(caller as Caller | undefined, request)
  audit.add(failedCall(fault, asker, identifiersIn(askedIn(request.url), resourceTypes), clock.now()))
}

function askedIn(url: string): AskedTexts {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  return {
    patientId: query.get('patientId'),
    actorReferences: query.getAll('actorReference'),
    resourceType: query.get('resourceType'),
    fhirOperation: query.get('fhirOperation'),
  }
}
