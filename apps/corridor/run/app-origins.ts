import { unexpectedAnswer } from '../../../packages/http/outbound/outbound-faults.ts'
import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { isRegisteredOrigin } from '../../../services/auth/store/clients.ts'
import type { Configuration } from '../configuration.ts'

interface OriginDeps {
  /** Whether the authorization server runs in this process. */
  readonly signs: boolean
  readonly database: Database
  readonly outbound: Pick<Outbound, 'send'>
}

/** Whether a registered app lives at an origin: from the table beside the authorization server, else from itself. */
export const askForAppOrigin = ({ auth }: Pick<Configuration, 'auth'>, { signs, database, outbound }: OriginDeps) =>
  signs
    ? (origin: string) => isRegisteredOrigin(origin, database)
    : (origin: string) => mayCallTokenEndpoint(origin, auth.url, outbound)

/** As the app's own page would ask before it exchanges a code. */
async function mayCallTokenEndpoint(origin: string, authUrl: string, outbound: OriginDeps['outbound']) {
  const { status, headers } = await outbound.send({
    method: 'OPTIONS',
    url: `${authUrl}/oauth2/token`,
    headers: { origin, 'access-control-request-method': 'POST' },
    deadlineMs: 2_000,
  })
  if (status >= 500 || status === 429) throw unexpectedAnswer('auth-service', status)
  return headers.get('access-control-allow-origin') === origin
}
