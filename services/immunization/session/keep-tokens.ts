import { later } from '../../../packages/clock/later.ts'
import { sessionOf } from '../../../packages/sign-in/session.ts'
import { askForTokens } from '../../../packages/sign-in/token-endpoint.ts'
import { TokenKeeper } from '../../../packages/sign-in/token-keeper.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { endSession, findSession, keepScope, sessionsTable } from '../store/sessions.ts'
import { authorizationUnavailable, sessionOver } from './refusals.ts'
import type { Session } from './session.ts'

type KeepDeps = Pick<ImmunizationDeps, 'database' | 'clock' | 'issuers' | 'outbound' | 'settings'>

/** Keeps the tokens of sessions alive, each with the server that gave them. */
export function keepTokens(deps: KeepDeps): TokenKeeper<Session> {
  const { database, issuers, settings, outbound } = deps
  return new TokenKeeper<Session>(
    {
      table: sessionsTable,
      // 119 is refreshed, 120 is not.
      refreshBelowSeconds: 120,
      ask: async ({ issuer }, refreshToken) => {
        const { tokenEndpoint } = await issuers.find(issuer)
        return askForTokens(tokenEndpoint, settings.clientId, { refreshToken }, deps)
      },
      // The server's document may have to be read first.
      askMsMax: 2 * outbound.deadlineMs,
      read: async ({ sessionHash, secret }, now) => {
        const idleSince = later(now, -settings.sessionIdleSeconds)
        const row = await findSession(sessionHash, { now, idleSince }, database)
        return row && sessionOf(row, secret)
      },
      end: ({ sessionHash }, now) => endSession(sessionHash, now, database),
      also: (session, { scope = session.scope }) => ({ members: { scope }, columns: keepScope(scope) }),
      sessionOver,
      unavailable: authorizationUnavailable,
    },
    deps,
  )
}
