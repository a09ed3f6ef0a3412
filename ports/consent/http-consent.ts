import { faultOf, unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound/outbound.ts'
import type { OutboundResponse } from '../../packages/http/outbound/outbound-response.ts'
import { sendWithToken, type TokenSource } from '../../packages/http/outbound/service-token.ts'
import type { Consent, ConsentAnswer, ConsentContext, ConsentQuestion } from './consent.ts'
import { readAnswer, unanswered } from './read-answer.ts'

export interface HttpConsentOptions {
  /** The address of the consent service. */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  /** The service account that asks; its role is SYSTEM or ADMIN. */
  readonly token: TokenSource
  readonly deadlineMs?: number
}

/** The consent service at its address. */
export function httpConsent(options: HttpConsentOptions): Consent {
  return {
    async evaluate(question, context = {}) {
      try {
        return answerOf(await sendWithToken(options.token, (token) => send(question, context, token, options)))
      } catch (thrown) {
        return unanswered(faultOf(thrown))
      }
    },
  }
}

function send(
  { patientId, actorReferences, resourceType, fhirOperation, purposeOfUse }: ConsentQuestion,
  { signal, trace }: ConsentContext,
  token: string,
  { base, outbound, deadlineMs = 3_000 }: HttpConsentOptions,
): Promise<OutboundResponse> {
  const query = new URLSearchParams({ patientId, resourceType, fhirOperation })
  for (const actor of actorReferences) query.append('actorReference', actor)
  if (purposeOfUse !== undefined) query.set('purposeOfUse', purposeOfUse)
  return outbound.send({
    method: 'POST',
    url: `${base}/api/consent/evaluate?${query.toString()}`,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    deadlineMs,
    ...(signal === undefined ? {} : { signal }),
    ...(trace === undefined ? {} : { trace }),
  })
}

function answerOf(response: OutboundResponse): ConsentAnswer {
  if (response.status === 200) return readAnswer(response.json())
  const logged = `status ${response.status}`
  return unanswered(unavailable('The consent service did not decide.', { code: 'BAD_GATEWAY', logged }))
}
