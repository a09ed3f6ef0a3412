import type { ServerTls } from '../../../packages/hl7/index.ts'
import type { Channel } from '../pipeline/channel.ts'

/** One of the eight listeners, as it is configured. */
export interface ListenerSettings {
  readonly channel: Channel
  readonly isEnabled: boolean
  readonly port: number
  readonly hosts: readonly string[]
  readonly connectionsMax: number
  readonly frameBytesMax: number
  readonly frameTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly tls?: ServerTls
  /** Addresses and networks that may connect; everyone when not given. */
  readonly allowed?: readonly string[]
  /** Undefined: as fast as they come. */
  readonly messagesPerMinute?: number
}
