import { unavailable, unprocessable } from '../../../packages/faults/fault.ts'
import type { Outbound } from '../../../packages/http/outbound.ts'
import type { ServiceToken } from '../../../packages/http/service-token.ts'
import type { ConsentStore } from './consent-store.ts'

export interface HttpConsentStoreOptions {
  /** The base address, such as `http://localhost:8080/fhir`. */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  /** The service account that writes. */
  readonly token: Pick<ServiceToken, 'token' | 'forget'>
}

/** Any FHIR R4 server that lets clients choose ids. */
export function httpConsentStore({ base, outbound, token }: HttpConsentStoreOptions): ConsentStore {
  return {
    async put(consent, { signal }) {
      const accessToken = await token.token()
      const { status } = await outbound.send({
        method: 'PUT',
        url: `${base}/Consent/${consent.id}`,
        headers: {
          accept: 'application/fhir+json',
          'content-type': 'application/fhir+json',
          authorization: `Bearer ${accessToken}`,
          prefer: 'return=minimal',
        },
        body: JSON.stringify(consent),
        signal,
      })
      if (status === 200 || status === 201) return
      // The next attempt comes with a new one.
      if (status === 401) token.forget(accessToken)
      const refusal = { code: 'PROJECTION_REFUSED', logged: `status ${status}` }
      throw status === 400 || status === 422
        ? unprocessable('The FHIR server does not take this Consent.', refusal)
        : unavailable('The FHIR server did not take this Consent.', refusal)
    },
  }
}
