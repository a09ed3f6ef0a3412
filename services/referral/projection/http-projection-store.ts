import { unavailable, unprocessable } from '../../../packages/faults/fault.ts'
import type { Outbound, OutboundRequest } from '../../../packages/http/outbound.ts'
import type { ServiceToken } from '../../../packages/http/service-token.ts'
import type { ProjectionStore } from './projection-store.ts'

export interface HttpProjectionStoreOptions {
  /** `http://localhost:8080/fhir` */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  readonly token: Pick<ServiceToken, 'token' | 'forget'>
}

/** A FHIR R4 server by its address. */
export function httpProjectionStore(options: HttpProjectionStoreOptions): ProjectionStore {
  const { base } = options
  return {
    update: (resource, { signal }) =>
      write({ method: 'PUT', url: `${base}/${resource.resourceType}/${resource.id}`, signal }, resource, options),
    createUnless: (resource, criteria, { signal }) => {
      const headers = { 'if-none-exist': new URLSearchParams(criteria).toString() }
      return write({ method: 'POST', url: `${base}/${resource.resourceType}`, headers, signal }, resource, options)
    },
  }
}

async function write(
  request: OutboundRequest,
  resource: { readonly resourceType: string },
  { outbound, token }: HttpProjectionStoreOptions,
): Promise<void> {
  const accessToken = await token.token()
  const { status } = await outbound.send({
    ...request,
    headers: {
      accept: 'application/fhir+json',
      'content-type': 'application/fhir+json',
      authorization: `Bearer ${accessToken}`,
      prefer: 'return=minimal',
      ...request.headers,
    },
    body: JSON.stringify(resource),
  })
  if (status >= 200 && status <= 299) return
  // The next attempt comes with a new one.
  if (status === 401) token.forget(accessToken)
  const refusal = { code: 'PROJECTION_REFUSED', logged: `status ${status} for ${resource.resourceType}` }
  const isUnwanted = status === 400 || status === 422
  throw isUnwanted
    ? unprocessable('The FHIR server does not take this resource.', refusal)
    : unavailable('The FHIR server did not take this resource.', refusal)
}
