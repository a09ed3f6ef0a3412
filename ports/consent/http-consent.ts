import { faultOf, unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound.ts'
import type { OutboundResponse } from '../../packages/http/outbound-response.ts'
import type { ServiceToken } from '../../packages/http/service-token.ts'
import type { Consent, ConsentAnswer, ConsentContext, ConsentQuestion } from './consent.ts'
import { readAnswer, unanswered } from './read-answer.ts'

export interface HttpConsentOptions {
  /** The address of the consent service. */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  /** The service account that asks; its role is SYSTEM or ADMIN. */
  readonly token: Pick<ServiceToken, 'token' | 'forget'>
  readonly deadlineMs?: number
}

/** The consent service at its address. */
export function httpConsent(options: HttpConsentOptions): Consent {
  return {
    async evaluate(question, context = {}) {
      try {
        return answerOf(await ask(question, context, options))
      } catch (thrown) {
        return unanswered(faultOf(thrown))
      }
    },
  }
}

/** A token that is refused may be an old one: it is replaced once. */
async function ask(
  question: ConsentQuestion,
  context: ConsentContext,
  options: HttpConsentOptions,
): Promise<OutboundResponse> {
  const token = await options.token.token()
  const response = await send(question, context, token, options)
  if (response.status !== 401) return response
  options.token.forget(token)
  return send(question, context, await options.token.token(), options)
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
