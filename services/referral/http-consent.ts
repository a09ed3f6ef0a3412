import { unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound.ts'
import type { ServiceToken } from '../../ports/service-token/service-token.ts'
import { gateDeadlineMs, type ConsentAnswer, type EvaluateConsent } from './consent-gate.ts'

export interface HttpConsentOptions {
  /** The consent service's address. */
  readonly url: string
  readonly outbound: Pick<Outbound, 'sendJson'>
  readonly token: ServiceToken
}

/** Asks the consent service over HTTP. Whatever is not a clear answer is a fault. */
export function httpConsent({ url, outbound, token }: HttpConsentOptions): EvaluateConsent {
  return async ({ patientId, actors, resourceType }, { signal }) => {
    const query = new URLSearchParams({ patientId, resourceType, fhirOperation: 'READ', purposeOfUse: 'TREATMENT' })
    for (const actor of actors) query.append('actorReference', actor)
    const response = await outbound.sendJson({
      method: 'POST',
      url: `${url}/api/consent/evaluate?${query}`,
      headers: { authorization: `Bearer ${await token()}` },
      deadlineMs: gateDeadlineMs,
      signal,
    })
    if (response.status !== 200) throw unusable(`status ${response.status}`)
    return answerOf(response.json())
  }
}

function answerOf(body: unknown): ConsentAnswer {
  if (typeof body !== 'object' || body === null) throw unusable('no object')
  const { permitted, reason, consentRecordId, decisionId } = body as Readonly<Record<string, unknown>>
  if (typeof permitted !== 'boolean') throw unusable('no verdict')
  return {
    permitted,
    reason: typeof reason === 'string' ? reason : null,
    consentRecordId: typeof consentRecordId === 'number' ? consentRecordId : null,
    decisionId: typeof decisionId === 'string' ? decisionId : null,
  }
}

const unusable = (logged: string) =>
  unavailable('The consent service gave an answer that cannot be used.', { code: 'BAD_GATEWAY', logged })
