import type { ServiceName } from '../../../apps/corridor/service-names.ts'
import { askForDemoToken } from '../../../packages/testkit/demo-token.ts'
import { leastDraft } from '../../../services/referral/testing/referral-api.ts'

/** Where the services are, and tokens for them. */
interface Platform {
  url(service: ServiceName): string
  bearerFor(wish?: { readonly role?: 'ADMIN' | 'CLINICIAN' | 'SYSTEM'; readonly scope?: string }): Promise<string>
}

interface PlatformCall {
  readonly service: ServiceName
  readonly what: string
  readonly send: (platform: Platform) => Promise<Response>
}

/** One write of each service that has an API, as a client sends it. */
export const platformWrites: readonly PlatformCall[] = [
  {
    ...{ service: 'auth', what: 'a token for a service account' },
    send: (platform) => askForDemoToken(platform.url('auth')),
  },
  {
    ...{ service: 'auth', what: 'a login' },
    send: (platform) =>
      fetch(`${platform.url('auth')}/login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ username: 'clinician', password: 'demo' }),
      }),
  },
  {
    ...{ service: 'fhir', what: 'a resource' },
    send: async (platform) =>
      post(
        `${platform.url('fhir')}/Observation`,
        await platform.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds' }),
        {
          ...{ resourceType: 'Observation', status: 'final', code: { text: 'any' } },
        },
      ),
  },
  {
    ...{ service: 'consent', what: 'a consent' },
    send: async (platform) =>
      post(`${platform.url('consent')}/api/consent`, await platform.bearerFor({ role: 'ADMIN' }), {
        ...{ patientId: 'Patient/any', provisionType: 'deny', scopeContext: 'patient' },
      }),
  },
  {
    ...{ service: 'referral', what: 'a referral' },
    send: async (platform) =>
      post(`${platform.url('referral')}/api/referrals`, await platform.bearerFor({ role: 'CLINICIAN' }), leastDraft),
  },
]

/** The answer of a service's own probe for load balancers. */
export async function readinessOf(platform: Pick<Platform, 'url'>, service: ServiceName): Promise<number> {
  const { origin } = new URL(platform.url(service))
  return (await fetch(`${origin}/actuator/health/readiness`)).status
}

function post(url: string, authorization: string, body: unknown): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}
