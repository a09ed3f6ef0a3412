import { waitAfterAttemptMs } from '../../../packages/clock/backoff.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids, Random } from '../../../packages/clock/ids.ts'
import { faultOf, unavailable } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { Bell } from '../../../packages/sql/tasks/bell.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { writeEvents } from '../store/audit-events.ts'
import { appendToChain, emptyChain, enumerationSuspected, type AuditEvent } from './audit-event.ts'
import type { EnumerationWatch } from './enumeration-watch.ts'
import type { EventTelling } from './told-events.ts'

interface AuditTrailDeps {
  readonly database: Queryable
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  readonly watch: EnumerationWatch
  /** Absent: nobody else is told of events. */
  readonly telling?: EventTelling | undefined
}

/** Somebody who waits for the fate of the events up to a number. */
interface Waiter {
  readonly upTo: number
  readonly resolve: () => void
  /** In place of `resolve`, where the last of those events was lost. */
  readonly lose: () => void
}

const batchMax = 500
/**
 * How long what follows is gathered where nobody waits for it. A bridge with one sender asks a few questions every few
 * milliseconds: with less there is a commit for nearly each message, beside those that its sender waits for.
 */
const gatherMs = 50
const backoff = { baseMs: 100, maxMs: 5_000, multiplier: 2, jitter: 0.2 }

/**
 * Writes every event, in order, onto this copy's chain. Whoever adds one does not wait: what waits is written together
 * by one writer, again and again until the database takes it. How much may wait is bounded; past the bound nothing is
 * decided any more, since it could not be accounted for.
 */
export class AuditTrail {
  readonly #deps: AuditTrailDeps
  readonly #queueMax: number
  readonly #chain: string
  readonly #closing = new AbortController()
  readonly #bell = new Bell()
  readonly #lost
  readonly #alerts
  #head = emptyChain
  #queue: AuditEvent[] = []
  #added = 0
  #settled = 0
  #waiting: Waiter[] = []
  #writing: Promise<void> | undefined
  #isClosing = false

  constructor(options: { readonly queueMax: number }, deps: AuditTrailDeps) {
    this.#deps = deps
    this.#queueMax = options.queueMax
    this.#chain = deps.ids.timeUuid()
    this.#lost = deps.metrics.counter('corridor_consent_audit_lost_total', 'Audit events that could not be written.')
    this.#alerts = deps.metrics.counter(
      'corridor_consent_enumeration_alerts_total',
      'Callers that asked about too many different patients in one window.',
    )
  }

  /** To be asked before a decision is made. */
  assertRoom(): void {
    if (this.#queue.length < this.#queueMax) return
    throw unavailable('Decisions cannot be audited at the moment. Try again in a moment.', { code: 'AUDIT_BACKLOG' })
  }

  /** Whether there was room for it; what finds none is lost, and counted. */
  add(event: AuditEvent): boolean {
    if (this.#queue.length >= this.#queueMax) {
      this.#lose(1)
      return false
    }
    this.#push(event)
    const caller = event.subject ?? (event.peer === null ? null : `address ${event.peer}`)
    if (caller !== null && event.patientId !== null) this.#deps.watch.see(caller, event.patientId)
    this.#writing ??= this.#write()
    return true
  }

  /** Resolves when this very event is durable; the fault is `unavailable` where it will never be. */
  async addDurably(event: AuditEvent): Promise<void> {
    if (!this.add(event)) throw notWritten()
    await new Promise<void>((resolve, reject) => this.#wait(resolve, () => reject(notWritten())))
  }

  /** Resolves when all that was added so far has been written or given up, whatever is added meanwhile. */
  written(): Promise<void> {
    if (this.#settled >= this.#added) return Promise.resolve()
    return new Promise((resolve) => this.#wait(resolve, resolve))
  }

  /** Writes what waits, for as long as the deadline allows. */
  async close(deadlineMs = 3_000): Promise<void> {
    using deadline = this.#deps.clock.deadline(deadlineMs)
    deadline.signal.addEventListener('abort', () => this.#closing.abort())
    this.#isClosing = true
    this.#bell.ring()
    await this.#writing
  }

  #wait(resolve: () => void, lose: () => void): void {
    this.#waiting.push({ upTo: this.#added, resolve, lose })
    this.#bell.ring()
  }

  #push(event: AuditEvent): void {
    this.#queue.push(event)
    this.#added++
  }

  async #write(): Promise<void> {
    // In the next turn: what is added together is written together.
    await Promise.resolve()
    let size = batchMax
    for (let attempt = 1; this.#queue.length > 0;) {
      const batch = this.#queue.slice(0, size)
      try {
        await this.#writeBatch(batch)
        this.#queue.splice(0, batch.length)
        await this.#alert()
        for (const { resolve } of this.#settle(batch.length)) resolve()
        attempt = 1
        size = batchMax
        await this.#gather(batch.length)
      } catch (thrown) {
        const { kind, message, logged } = faultOf(thrown)
        this.#deps.log.error('audit could not be written', { attempt, faultKind: kind, error: logged ?? message })
        // A single event that the database will never take must not hold up all others.
        if (kind !== 'unavailable' && size === 1) this.#giveUp(1)
        if (kind !== 'unavailable') size = 1
        if (await this.#closesWithin(waitAfterAttemptMs(attempt++, backoff, this.#deps.random))) break
      }
    }
    this.#giveUp(this.#queue.length)
    this.#writing = undefined
  }

  async #closesWithin(ms: number): Promise<boolean> {
    return this.#deps.clock.sleep(ms, this.#closing.signal).then(
      () => false,
      () => true,
    )
  }

  /** A statement costs as much as twenty events in it. An event that comes alone, or is waited for, is written at once. */
  async #gather(justWritten: number): Promise<void> {
    const isAwaited = this.#isClosing || this.#waiting.length > 0
    if (justWritten === 1 || isAwaited || this.#queue.length >= batchMax) return
    await this.#bell.wait(this.#deps.clock, gatherMs)
  }

  async #writeBatch(batch: readonly AuditEvent[]): Promise<void> {
    const { rows, head } = appendToChain(this.#head, batch)
    const { clock, database, telling } = this.#deps
    const write = (on: Queryable) => writeEvents(this.#chain, rows, head, clock.now(), on)
    await (telling === undefined ? write(database) : telling.writeWith(batch, write))
    this.#head = head
  }

  /** What goes wrong here is no fault of an event that waits to be written: the next batch looks again. */
  async #alert(): Promise<void> {
    const { watch, clock, log } = this.#deps
    try {
      for (const { caller, patients } of await watch.look()) {
        this.#alerts.inc()
        log.warn('enumeration suspected', { count: patients })
        this.#push(enumerationSuspected(caller, patients, clock.now()))
      }
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      log.error('enumeration could not be watched', { faultKind: kind, error: logged ?? message })
    }
  }

  #giveUp(count: number): void {
    this.#lose(this.#queue.splice(0, count).length)
    for (const { lose } of this.#settle(count)) lose()
  }

  /** Those who waited for these events, the next ones, and for none after them. */
  #settle(count: number): readonly Waiter[] {
    this.#settled += count
    const after = this.#waiting.findIndex(({ upTo }) => upTo > this.#settled)
    return this.#waiting.splice(0, after === -1 ? this.#waiting.length : after)
  }

  #lose(count: number): void {
    if (count === 0) return
    this.#lost.inc(count)
    this.#deps.log.error('audit events lost', { count })
  }
}

const notWritten = () =>
  unavailable('This could not be audited, so it is not answered. Try again in a moment.', { code: 'AUDIT_LOST' })
