import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'

/** What somebody who runs the bridge can have it do. */
type ActionName =
  | 'retry'
  | 'retry-batch'
  | 'start-retry-run'
  | 'stop-retry-run'
  | 'pause-channel'
  | 'resume-channel'
  | 'reset-circuit-breakers'
  | 'map-code'
  | 'resend-delivery'
  | 'resend-deliveries'
  | 'confirm-review'
  | 'reject-review'

/** With what; a batch may be with none that can be named. */
interface ActedOn {
  readonly kind:
    | 'transaction'
    | 'channel'
    | 'retry-run'
    | 'unmapped-code'
    | 'delivery'
    | 'subscription'
    | 'patient-review'
  readonly id: string
}

/** What somebody wants, before it is known how it goes. */
export interface OperatorAction {
  readonly did: ActionName
  readonly to?: ActedOn
  readonly caller: Pick<Caller, 'subject' | 'clientId'>
  readonly request: Pick<IncomingRequest, 'id' | 'peer'>
}

/** How it went: words and numbers of ours, nothing that messages say. */
export interface ActionEnd {
  /** Why it was not done, in a word. */
  readonly refused?: string
  readonly details?: Readonly<Record<string, string | number | null | undefined>>
}

/** Somebody's action as it lies in the spool, beside the records of messages. */
export interface ActionRecord {
  /** The same for every attempt to tell it. */
  readonly id: string
  readonly at: string
  readonly processId: string
  readonly did: ActionName
  readonly to?: ActedOn
  readonly subject: string
  readonly clientId: string
  readonly peer: string
  readonly requestId: string
  /** As of messages: done, refused, failed by our fault. */
  readonly outcome: '0' | '4' | '8'
  readonly reason?: string
  readonly details: readonly (readonly [name: string, value: string])[]
}
