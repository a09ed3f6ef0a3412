import { isLongRun } from '../../../packages/testkit/extent.ts'

/** How the copies run, and where their processes die. */
interface Shape {
  readonly how: string
  readonly apart: boolean
  readonly moments: readonly (string | undefined)[]
}

// Below 120 seconds the app refreshes: so it does so all the time.
export const settings = { 'auth.accessTokenSeconds': '122' }

const answer = (request: string) => `answer ${request}`

/** Where a process kills itself, in the middle of what it does; undefined is any moment, from outside. */
const moments = isLongRun
  ? [
      ...['framed', 'journaled', 'enriched', 'governed', 'stored', 'settled', 'acked'].map((at) => `boundary ${at}`),
      ...['request', 'answer'].flatMap((at) => [`${at} POST /oauth2/token`, `${at} POST /api/referrals/\\d+/send`]),
      ...['POST /login', 'GET /oauth2/authorize', 'POST /portal/launch', 'GET /launch', 'GET /callback'].map(answer),
      ...['GET /sign-in/callback', 'GET /dashboard', 'GET /api/certificate/qr'].map(answer),
      ...['POST /api/consent', 'POST /api/consent/\\d+/revoke', 'POST /fhir/Observation'].map(answer),
      'boundary dispatched',
    ]
  : ['boundary stored', 'answer POST /oauth2/token']

export const shapes: readonly Shape[] = [
  { how: 'one process a copy', apart: false, moments },
  // Each process once.
  ...(isLongRun
    ? [{ how: 'one process a service', apart: true, moments: Array.from({ length: 12 }, () => undefined) }]
    : []),
]
