import { Readable } from 'node:stream'
import type { Clock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'
import { faultOf, tooMuch, unavailable } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { IsRevoked } from '../../../packages/tokens/verifier.ts'
import type { Finished, FinishPart } from '../pipeline/finished.ts'
import { changesBetween, messageEvent, type LiveEvent, type Surroundings } from './live-event.ts'

interface LiveDeps {
  readonly clock: Clock
  readonly log: Log
  /** Channels, breakers and queue as they are: looked at once a second while somebody watches. */
  readonly look: () => Promise<Surroundings>
  /** Whether the token of a caller has been revoked; asked before anything is told. */
  readonly isRevoked?: IsRevoked
}

const listenersMax = 32
/** Of one caller, whatever tokens they have: others want to watch, too. */
const perCallerMax = 8
const tickMs = 1_000
/** Of the messages of one tick so many are told one by one; the others are only counted. */
const messagesPerTick = 100
const ticksPerSign = 15
/** Whoever is so far behind is cut off: browsers come back by themselves. */
const behindBytesMax = 256 * 1_024

/** What happens in the bridge, as Server-Sent Events without patient data. Nobody who watches slows a message down. */
export class LiveEvents {
  readonly #deps: LiveDeps
  readonly #listeners = new Set<Readable>()
  readonly #callers = new Map<Readable, WatchingCaller>()
  readonly #stopping = new AbortController()
  #finished: Finished[] = []
  #leftOut = 0
  #ticksInSilence = 0
  #before: Surroundings | undefined
  #loop: Promise<void> | undefined

  constructor(deps: LiveDeps) {
    this.#deps = deps
  }

  /** Hears of messages once their end is durable; writes nothing. */
  readonly part: FinishPart = {
    statement: () => undefined,
    committed: (finished) => this.#note(finished),
  }

  /** The same for who calls: it ends with their token as well. */
  watchFor(caller: WatchingCaller): Readable {
    const own = [...this.#callers.values()].filter(({ subject }) => subject === caller.subject).length
    if (own >= perCallerMax) {
      throw tooMuch(`You already have ${perCallerMax} event streams open. Close one first.`, { retryAfterSeconds: 10 })
    }
    const listener = this.watch()
    this.#callers.set(listener, caller)
    listener.once('close', () => this.#callers.delete(listener))
    return listener
  }

  /** A stream of its own; it ends with the bridge or with whoever reads it. */
  watch(): Readable {
    if (this.#stopping.signal.aborted) throw unavailable('This server is stopping. Try again in a moment.')
    if (this.#listeners.size >= listenersMax) {
      throw tooMuch(`At most ${listenersMax} event streams can be open at once. Try again in a moment.`, {
        retryAfterSeconds: 10,
      })
    }
    const listener = new Readable({ read() {} })
    listener.once('close', () => this.#listeners.delete(listener))
    listener.push('retry: 2000\n\n')
    // The first one is told by the first look, whoever comes later by the last one.
    if (this.#before !== undefined)
      for (const state of changesBetween(undefined, this.#before)) listener.push(textOf(state))
    this.#listeners.add(listener)
    this.#loop ??= this.#run()
    return listener
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    for (const listener of this.#listeners) listener.push(null)
    this.#listeners.clear()
    await this.#loop
  }

  #note(finished: readonly Finished[]): void {
    if (this.#listeners.size === 0) return
    const room = Math.max(0, messagesPerTick - this.#finished.length)
    this.#finished.push(...finished.slice(0, room))
    this.#leftOut += Math.max(0, finished.length - room)
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps
    while (this.#listeners.size > 0 && !this.#stopping.signal.aborted) {
      try {
        await this.#tick()
      } catch (thrown) {
        log.warn('bridge.live-events-failed', { error: faultOf(thrown).message })
      }
      await pause(clock, tickMs, this.#stopping.signal)
    }
    this.#before = undefined
    this.#finished = []
    this.#leftOut = 0
    // Here, not when the promise is done: whoever comes in between would be fed by nobody.
    this.#loop = undefined
  }

  async #tick(): Promise<void> {
    await this.#endPastTokens()
    const finished = this.#finished
    const leftOut = this.#leftOut
    this.#finished = []
    this.#leftOut = 0
    for (const one of finished) this.#tell(messageEvent(one))
    const after = await this.#deps.look()
    for (const change of changesBetween(this.#before, after)) this.#tell(change)
    const isFlowing = finished.length > 0 || this.#before?.queueDepth !== after.queueDepth
    this.#before = after
    if (isFlowing) {
      const at = this.#deps.clock.now().toISOString()
      const { queueDepth } = after
      this.#tell({ event: 'flow', data: { at, finished: finished.length + leftOut, leftOut, queueDepth } })
    }
    this.#ticksInSilence++
    if (this.#ticksInSilence >= ticksPerSign) this.#send(': still here\n\n')
  }

  /** Before anything is told: a token that is past or revoked opens nothing, and a stream is no exception. */
  async #endPastTokens(): Promise<void> {
    const { clock, isRevoked = () => false } = this.#deps
    for (const [listener, caller] of this.#callers) {
      const isPast = caller.expiresAt <= clock.now() || (await isRevoked(caller))
      if (!isPast) continue
      this.#listeners.delete(listener)
      this.#callers.delete(listener)
      listener.push(null)
    }
  }

  #tell(event: LiveEvent): void {
    this.#send(textOf(event))
  }

  #send(text: string): void {
    this.#ticksInSilence = 0
    for (const listener of this.#listeners) {
      if (listener.readableLength > behindBytesMax) listener.destroy()
      else listener.push(text)
    }
  }
}

type WatchingCaller = Pick<Caller, 'subject' | 'tokenId' | 'grantId' | 'expiresAt'>

const textOf = ({ event, data }: LiveEvent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
