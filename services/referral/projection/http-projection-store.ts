import { unavailable, unprocessable } from '../../../packages/faults/fault.ts'
import type { Outbound } from '../../../packages/http/outbound.ts'
import type { ServiceToken } from '../../../packages/http/service-token.ts'
import type { ProjectionStore } from './deliver.ts'

export interface HttpProjectionStoreOptions {
  /** `http://localhost:8080/fhir` */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  readonly token: Pick<ServiceToken, 'token' | 'forget'>
}

/** Updates with ids of our own: the same one twice is the same resource. */
export function httpProjectionStore({ base, outbound, token }: HttpProjectionStoreOptions): ProjectionStore {
  return {
    async put(resource, { signal }) {
      const accessToken = await token.token()
      const { status } = await outbound.send({
        method: 'PUT',
        url: `${base}/${resource.resourceType}/${resource.id}`,
        headers: {
          accept: 'application/fhir+json',
          'content-type': 'application/fhir+json',
          authorization: `Bearer ${accessToken}`,
          prefer: 'return=minimal',
        },
        body: JSON.stringify(resource),
        signal,
      })
      if (status === 200 || status === 201) return
      // The next attempt comes with a new one.
      if (status === 401) token.forget(accessToken)
      const refusal = { code: 'PROJECTION_REFUSED', logged: `status ${status} for ${resource.resourceType}` }
      const isUnwanted = status === 400 || status === 422
      throw isUnwanted
        ? unprocessable('The FHIR server does not take this resource.', refusal)
        : unavailable('The FHIR server did not take this resource.', refusal)
    },
  }
}
