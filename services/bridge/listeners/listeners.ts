import { assert, faultOf } from '../../../packages/faults/fault.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { Bell } from '../../../packages/sql/tasks/bell.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { Incoming } from '../durable/arrival.ts'
import type { ChannelControl, ChannelRecord, ChannelStats, ChannelStatus } from './channel-control.ts'
import { ChannelListener, type ListenerDeps } from './channel-listener.ts'
import { channelRecord, channelStats } from './channel-records.ts'
import { channelChanges, channelCounts, recentFigures, setWanted, type Wanted } from './channel-store.ts'
import { FramingErrors } from './framing-errors.ts'
import type { ListenerSettings } from './listener-settings.ts'
import { RefusedSenders } from './refused-senders.ts'

export interface ListenersDeps extends Omit<ListenerDeps, 'onEvent' | 'onRefused'> {
  readonly database: Database
  readonly metrics: Metrics
  /** How often to look what the operator wants: another copy may have been told. */
  readonly lookMs?: number
}

/** The eight listeners of this copy, kept as the operator wants them in all copies. */
export class Listeners implements ChannelControl {
  readonly #deps: ListenersDeps
  readonly #listeners: ReadonlyMap<ChannelId, ChannelListener>
  readonly #bell = new Bell()
  readonly #stopping = new AbortController()
  /** How often an operator has paused or resumed a channel here. */
  #orders = 0
  readonly #framingErrors: FramingErrors
  readonly #refusedSenders: RefusedSenders
  #loop: Promise<void> | undefined

  constructor(settings: readonly ListenerSettings[], deps: ListenersDeps) {
    this.#deps = deps
    const ids = settings.map(({ channel }) => channel.id)
    const framingErrors = new FramingErrors(ids, deps)
    const refusedSenders = new RefusedSenders(ids, deps)
    this.#framingErrors = framingErrors
    this.#refusedSenders = refusedSenders
    const lastAt = lastMessageOf(deps.metrics)
    measureListeners(() => this.#listeners, deps.metrics)
    this.#listeners = new Map(
      settings.map((one) => {
        const { id: channel } = one.channel
        const receive = async (incoming: Incoming) => {
          lastAt.set({ channel }, deps.clock.now().getTime() / 1_000)
          await deps.receive(incoming)
        }
        const told = { onEvent: framingErrors.onEvent(channel), onRefused: refusedSenders.onRefused(channel) }
        return [channel, new ChannelListener(one, { ...deps, receive, ...told })]
      }),
    )
  }

  /** Resolves when every channel listens that can and should. */
  async start(): Promise<void> {
    await this.#apply()
    this.#loop ??= this.#run()
  }

  async list(): Promise<readonly ChannelRecord[]> {
    const counts = await channelCounts(this.#deps.database)
    return [...this.#listeners].map(([id, listener]) => channelRecord(listener, counts.get(id) ?? []))
  }

  async find(id: ChannelId): Promise<ChannelRecord> {
    const counts = await channelCounts(this.#deps.database)
    return channelRecord(this.#of(id), counts.get(id) ?? [])
  }

  states(): ReadonlyMap<ChannelId, ChannelStatus> {
    return new Map([...this.#listeners].map(([id, { status }]) => [id, status]))
  }

  atPort(port: number): ChannelId | undefined {
    return [...this.#listeners].find(([, listener]) => listener.port === port)?.[0]
  }

  async stats(id: ChannelId): Promise<ChannelStats> {
    const { database, clock } = this.#deps
    const [counts, recent] = await Promise.all([channelCounts(database), recentFigures(id, clock.now(), database)])
    return channelStats(this.#of(id), counts.get(id) ?? [], recent, clock.now())
  }

  async pause(id: ChannelId, by: string): Promise<void> {
    await this.#order(id, 'PAUSED', by)
  }

  async resume(id: ChannelId, by: string): Promise<void> {
    await this.#order(id, 'RUNNING', by)
  }

  /** Finishes and answers what each connection is at, and closes everything. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    await Promise.all([...this.#listeners.values()].map((listener) => listener.close('STOPPED', graceMs)))
    await this.#loop
    await this.#flush()
  }

  async #order(id: ChannelId, wanted: Wanted, by: string): Promise<void> {
    const { database, clock } = this.#deps
    await setWanted(id, wanted, by, clock.now(), database)
    this.#orders++
    await this.#bring(this.#of(id), wanted)
  }

  async #run(): Promise<void> {
    const { clock, lookMs = 2_000, log } = this.#deps
    for (;;) {
      await this.#bell.wait(clock, lookMs)
      if (this.#stopping.signal.aborted) return
      try {
        await this.#apply()
        await this.#flush()
      } catch (thrown) {
        log.warn('bridge.channels-not-read', { error: faultOf(thrown).message })
      }
    }
  }

  /** Each for itself; what could not be written stays for the next look. */
  async #flush(): Promise<void> {
    const flushes = await Promise.allSettled([this.#framingErrors.flush(), this.#refusedSenders.flush()])
    for (const flush of flushes) {
      if (flush.status === 'fulfilled') continue
      const { kind, logged, message } = faultOf(flush.reason)
      this.#deps.log.warn('bridge.counts-not-written', { faultKind: kind, error: logged ?? message })
    }
  }

  async #apply(): Promise<void> {
    const orders = this.#orders
    const changes = await channelChanges(this.#deps.database)
    // What was read before an operator spoke would undo what they said; the next look knows of it.
    if (orders !== this.#orders) return
    await Promise.all(
      [...this.#listeners].map(([id, listener]) => this.#bring(listener, changes.get(id)?.wanted ?? 'RUNNING')),
    )
  }

  async #bring(listener: ChannelListener, wanted: Wanted): Promise<void> {
    if (!listener.settings.isEnabled || this.#stopping.signal.aborted) return
    if (wanted === 'RUNNING' && listener.status !== 'RUNNING') await listener.open()
    if (wanted === 'PAUSED' && listener.status !== 'PAUSED') await listener.close('PAUSED', pauseGraceMs)
  }

  #of(id: ChannelId): ChannelListener {
    const listener = this.#listeners.get(id)
    assert(listener !== undefined, `there is no listener for the channel ${id}`)
    return listener
  }
}

/** Since when nothing came: a channel that was never heard has no time. */
const lastMessageOf = (metrics: Metrics) =>
  metrics.gauge('corridor_bridge_last_message_timestamp_seconds', 'When the last message came to this process.', [
    'channel',
  ])

/** Whether each channel can be reached, and how many senders have: looked at whenever somebody asks for metrics. */
function measureListeners(listeners: () => ReadonlyMap<ChannelId, ChannelListener>, metrics: Metrics): void {
  const help = 'Channels: 0 running, 1 starting, 2 paused, 3 stopped, 4 in error (it cannot listen).'
  const states = metrics.gauge('corridor_bridge_channel_state', help, ['channel'])
  const connections = metrics.gauge('corridor_bridge_connections', 'Senders that are connected.', ['channel'])
  metrics.whenAsked(() => {
    for (const [channel, listener] of listeners()) {
      states.set({ channel }, level[listener.status])
      connections.set({ channel }, listener.connections)
    }
  })
}

const level: Readonly<Record<ChannelStatus, number>> = { RUNNING: 0, STARTING: 1, PAUSED: 2, STOPPED: 3, ERROR: 4 }

/** A message that is at work has the time of an answer. */
const pauseGraceMs = 30_000
