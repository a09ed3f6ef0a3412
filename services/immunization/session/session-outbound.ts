import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import type { OutboundResponse } from '../../../packages/http/outbound/outbound-response.ts'
import type { TokenKeeper } from '../../../packages/sign-in/token-keeper.ts'
import { sessionOver } from './refusals.ts'
import type { Session } from './session.ts'

/**
 * Calls with the session's token. One that the server refuses is refreshed once; refused again, the session is over: the
 * access was taken away.
 */
export function sessionOutbound(
  session: Session,
  deps: {
    readonly outbound: Pick<Outbound, 'send'>
    readonly keeper: TokenKeeper<Session>
    readonly end: (session: Session) => Promise<void>
  },
): Pick<Outbound, 'send'> {
  const sendWith = (request: Parameters<Outbound['send']>[0], { tokens }: Session): Promise<OutboundResponse> =>
    deps.outbound.send({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${tokens.accessToken}` },
    })
  return {
    async send(request) {
      const response = await sendWith(request, session)
      if (response.status !== unauthorized) return response
      const again = await sendWith(request, await deps.keeper.renew(session, { isRefused: true }))
      if (again.status !== unauthorized) return again
      await deps.end(session)
      throw sessionOver()
    },
  }
}

// RFC 9110: the word of the other server.
const unauthorized = 401
