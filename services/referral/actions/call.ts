import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { Actor } from '../referral.ts'

/** Who asks, and in which request. */
export interface Call {
  readonly caller: Caller
  readonly request: Pick<IncomingRequest, 'id' | 'peer' | 'trace'>
}

export const actorOf = ({ caller, request }: Call): Actor => ({
  subject: caller.subject,
  clientId: caller.clientId,
  organisation: caller.organisation ?? null,
  peer: request.peer,
  requestId: request.id,
})
