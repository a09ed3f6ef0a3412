import { unavailable } from '../../packages/faults/fault.ts'
import type { OutboundResponse } from '../../packages/http/outbound/outbound-response.ts'
import { sendWithToken } from '../../packages/http/outbound/service-token.ts'
import type { HttpConsentOptions } from './http-consent.ts'

/**
 * Lets a facility that was seen for the first time (`Organization/…`) write, at the consent service of a demo. It fails
 * where that cannot be had, so that the message waits and the next one asks again.
 */
export async function httpPermitFacility(organization: string, options: HttpConsentOptions): Promise<void> {
  const { status } = await sendWithToken(options.token, (token) => send(organization, token, options))
  if (status === 204) return
  throw unavailable('The consent service did not let the new facility in.', {
    code: 'BAD_GATEWAY',
    logged: `status ${status}`,
  })
}

function send(
  organization: string,
  token: string,
  { base, outbound, deadlineMs = 3_000 }: HttpConsentOptions,
): Promise<OutboundResponse> {
  return outbound.send({
    method: 'PUT',
    url: `${base}/api/consent/demo/facilities/${organization.replace(/^Organization\//, '')}`,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    deadlineMs,
  })
}
