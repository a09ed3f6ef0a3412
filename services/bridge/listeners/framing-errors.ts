import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { MllpServerOptions } from '../../../packages/hl7/index.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { addCount, type Counts } from '../durable/count-statements.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import { framingErrorsMax, keepFramingErrors, type FramingError } from '../store/framing-errors.ts'
import { flushCounts } from './channel-store.ts'

export interface FramingErrorsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
}

type OnEvent = NonNullable<MllpServerOptions['onEvent']>

/**
 * Bytes that were no message: noise, frames that broke off, frames that were too large. They are counted, told in the
 * log without a byte of theirs, and their first bytes kept. However many come, what is held and written is bounded.
 */
export class FramingErrors {
  readonly #deps: FramingErrorsDeps
  readonly #counter
  #counts: Counts = new Map()
  #last = new Map<ChannelId, FramingError[]>()

  constructor(channels: readonly ChannelId[], deps: FramingErrorsDeps) {
    this.#deps = deps
    this.#counter = deps.metrics.counter(
      'corridor_bridge_framing_errors_total',
      'Bytes on a channel that were no message.',
      ['channel'],
    )
    for (const channel of channels) this.#counter.inc({ channel }, 0)
  }

  onEvent(channel: ChannelId): OnEvent {
    return ({ kind, length, head }, { address }) => {
      const { ids, clock } = this.#deps
      this.#counter.inc({ channel })
      addCount(this.#counts, channel, 'framingErrors', 1)
      const error = { id: ids.timeUuid(), channelId: channel, at: clock.now(), kind, peer: address, length, head }
      this.#last.set(channel, [...(this.#last.get(channel) ?? []), error].slice(-framingErrorsMax))
    }
  }

  /** Tells and writes what came since the last time. */
  async flush(): Promise<void> {
    const { database, clock, log } = this.#deps
    const [counts, last] = [this.#counts, this.#last]
    this.#counts = new Map()
    this.#last = new Map()
    for (const [channel, errors] of last) {
      const count = counts.get(channel)?.get('framingErrors') ?? 0
      // Sound: a channel is in the map because of one.
      const { kind, peer, length } = errors.at(-1) as FramingError
      log.warn('bridge.no-message', { channel, count, state: kind, host: peer, bytes: length })
    }
    await flushCounts(counts, clock.now(), database)
    await keepFramingErrors([...last.values()].flat(), database)
  }
}
