import type { Clock } from '../../../packages/clock/clock.ts'
import type { ConnectionRefusal } from '../../../packages/hl7/index.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import { UnwrittenCounts } from './channel-store.ts'

interface RefusedSendersDeps {
  readonly database: Database
  readonly clock: Clock
  readonly metrics: Metrics
}

const reasons: readonly ConnectionRefusal['reason'][] = ['address', 'limit', 'tls', 'http', 'silent']

/** Senders that got no connection, or lost it: the log says who and why (packages/hl7/mllp/server.ts), here they are counted. */
export class RefusedSenders {
  readonly #deps: RefusedSendersDeps
  readonly #counter
  readonly #counts = new UnwrittenCounts()

  constructor(channels: readonly ChannelId[], deps: RefusedSendersDeps) {
    this.#deps = deps
    this.#counter = deps.metrics.counter(
      'corridor_bridge_connections_refused_total',
      'Senders that got no connection or lost it: address not allowed, too many at once, TLS failed, a request of HTTP, silent while others needed the place.',
      ['channel', 'reason'],
    )
    for (const channel of channels) for (const reason of reasons) this.#counter.inc({ channel, reason }, 0)
  }

  onRefused(channel: ChannelId): (refusal: ConnectionRefusal) => void {
    return ({ reason }) => {
      this.#counter.inc({ channel, reason })
      this.#counts.add(channel, reason === 'tls' ? 'tlsFailures' : 'connectionsRefused')
    }
  }

  /** Writes what came since the last time. */
  flush(): Promise<void> {
    return this.#counts.flush(this.#deps.clock.now(), this.#deps.database)
  }
}
