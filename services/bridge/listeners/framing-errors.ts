import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { MllpServerOptions } from '../../../packages/hl7/index.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import { framingErrorsMax, keepFramingErrors, type FramingError } from '../store/framing-errors.ts'
import { UnwrittenCounts } from './channel-store.ts'

interface FramingErrorsDeps {
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
  readonly #counts = new UnwrittenCounts()
  readonly #untold = new Map<ChannelId, { readonly count: number; readonly last: FramingError }>()
  #last = new Map<ChannelId, readonly FramingError[]>()

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
      this.#counts.add(channel, 'framingErrors')
      const last = { id: ids.timeUuid(), channelId: channel, at: clock.now(), kind, peer: address, length, head }
      this.#untold.set(channel, { count: (this.#untold.get(channel)?.count ?? 0) + 1, last })
      this.#last.set(channel, [...(this.#last.get(channel) ?? []), last].slice(-framingErrorsMax))
    }
  }

  /** Tells and writes what came since the last time. What could not be written is written the next time. */
  async flush(): Promise<void> {
    const { database, clock } = this.#deps
    this.#tell()
    await this.#counts.flush(clock.now(), database)
    const last = this.#last
    this.#last = new Map()
    try {
      await keepFramingErrors([...last.values()].flat(), database)
    } catch (thrown) {
      for (const [channel, errors] of last) {
        this.#last.set(channel, [...errors, ...(this.#last.get(channel) ?? [])].slice(-framingErrorsMax))
      }
      throw thrown
    }
  }

  #tell(): void {
    for (const [channel, { count, last }] of this.#untold) {
      const { kind, peer, length } = last
      this.#deps.log.warn('bridge.no-message', { channel, count, state: kind, host: peer, bytes: length })
    }
    this.#untold.clear()
  }
}
