import { setImmediate } from 'node:timers/promises'
import { waitAfterAttemptMs, type Backoff } from '../../../packages/clock/backoff.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import { pause } from '../../../packages/clock/pause.ts'
import { faultOf, unavailable, type Fault } from '../../../packages/faults/fault.ts'
import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { isRefusal } from '../../../packages/sql/tasks/outside.ts'
import type { IndexOf } from '../store/index-rows.ts'
import { auditEventOf } from './audit-event.ts'
import { AuditChain, type AuditChainDeps, type PreparedEvent } from './audit-chain.ts'
import { auditMetrics, type AuditMetrics } from './audit-metrics.ts'
import type { AuditedAccess } from './audited-access.ts'
import { auditedParts } from './audited-parts.ts'
import { auditedPatients } from './store/audited-patients.ts'

export interface AuditorDeps extends AuditChainDeps {
  readonly indexOf: IndexOf
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  /** The public base address, such as `http://localhost:8080/fhir`. */
  readonly base: string
  readonly limits?: Partial<AuditLimits>
}

export interface AuditLimits {
  /** Accesses that may wait to be written down; further requests wait for them. */
  readonly queueMax: number
  /** How long a request waits for room before it is refused. */
  readonly admissionMs: number
  /** How long the first of a batch waits for others to be written with it. */
  readonly gatherMs: number
  /** Accesses that are written in one transaction, and resources that they touched. */
  readonly batchMax: number
  readonly touchedMax: number
  /** How long a stop waits for the last of them. */
  readonly closeMs: number
}

const auditLimits: AuditLimits = {
  queueMax: 10_000,
  admissionMs: 2_000,
  gatherMs: 50,
  batchMax: 200,
  touchedMax: 1_000,
  closeMs: 5_000,
}

const eventsATurn = 16

const backoff: Backoff = { baseMs: 100, maxMs: 5_000, multiplier: 2, jitter: 0.2 }

/**
 * Writes down who saw and changed what. An access is recorded after its answer and written with others in one
 * transaction. Whatever cannot be written waits; when too much waits, new requests wait and are then refused: nobody
 * gets at the record while nobody writes it down.
 */
export class Auditor {
  readonly #deps: AuditorDeps
  readonly #limits: AuditLimits
  readonly #metrics: AuditMetrics
  readonly #hurried = new AbortController()
  readonly #ended = new AbortController()
  readonly #onRoom = new Set<() => void>()
  #queue: AuditedAccess[] = []
  #underWay: Promise<void> | undefined
  #chain: AuditChain | undefined
  #closing = false

  constructor(deps: AuditorDeps) {
    this.#deps = deps
    this.#limits = { ...auditLimits, ...deps.limits }
    this.#metrics = auditMetrics(deps.metrics)
  }

  /** The chain that it writes; undefined until there was something to write. */
  get chain(): string | undefined {
    return this.#chain?.id
  }

  /** Requests that wait for room. */
  get held(): number {
    return this.#onRoom.size
  }

  /** Before a request is carried out: resolves at once unless too much waits to be written. */
  async admit(): Promise<void> {
    if (this.#hasRoom()) return
    using deadline = this.#deps.clock.deadline(this.#limits.admissionMs)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onRoom.add(resolve)
    deadline.signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    // Whoever is refused is forgotten at once: while the database is away there is no room for hours.
    this.#onRoom.delete(resolve)
    if (this.#hasRoom()) return
    this.#metrics.refused.inc()
    throw unavailable('Accesses cannot be written to the audit log at the moment. Try again later.', {
      code: logFull,
    })
  }

  /** Never waits and never throws: the answer is on its way. */
  record(asked: AuditedAccess): void {
    if (!isKnown(asked)) return
    // An address may name anything; only what could be there is told of, and a sign that no text may hold is none.
    const access = { ...asked, touched: asked.touched.filter(({ id }) => isFhirId(id)) }
    if (this.#closing) return this.#lose(1, 'STOPPED')
    // Admission bounds the queue but for the requests that were under way when it filled up.
    if (this.#queue.length >= 2 * this.#limits.queueMax) return this.#lose(1, 'QUEUE_FULL')
    this.#queue.push(access)
    this.#metrics.waiting.set(this.#queue.length)
    this.#underWay ??= this.#writeAll()
  }

  /** Resolves when all that was recorded is written. */
  async drain(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay
  }

  /** Takes nothing more and writes what it has, as far as the database lets it in the time that a stop has. */
  async close(): Promise<void> {
    this.#closing = true
    this.#hurried.abort()
    using deadline = this.#deps.clock.deadline(this.#limits.closeMs)
    deadline.signal.addEventListener('abort', () => this.#ended.abort(), { once: true })
    await this.drain()
    if (this.#chain === undefined) return
    const { length, hash } = this.#chain.head
    // Outside of the database, so that a shortened chain can be held against it.
    this.#deps.log.info('audit chain ended', { chain: this.#chain.id, count: length, hash })
  }

  /** For readiness: refuses while requests would be. */
  async check(): Promise<void> {
    if (!this.#hasRoom()) throw unavailable('The audit log cannot be written.')
  }

  #hasRoom(): boolean {
    return this.#queue.length < this.#limits.queueMax
  }

  async #writeAll(): Promise<void> {
    const { clock } = this.#deps
    const { batchMax, gatherMs } = this.#limits
    while (this.#queue.length > 0) {
      if (this.#queue.length < batchMax && !this.#closing) await pause(clock, gatherMs, this.#hurried.signal)
      const batch = firstOf(this.#queue, this.#limits)
      await this.#writeUntilDone(batch)
      this.#queue = this.#queue.slice(batch.length)
      this.#metrics.waiting.set(this.#queue.length)
      if (this.#hasRoom()) for (const resolve of this.#onRoom) resolve()
    }
    this.#underWay = undefined
  }

  /** Tries again as long as the database is away. What cannot be written for another reason fails alone. */
  async #writeUntilDone(batch: readonly AuditedAccess[]): Promise<void> {
    // Made once: a batch whose COMMIT was sent before the connection broke must be known again.
    let events: readonly PreparedEvent[] | undefined
    for (let attempt = 1; ; attempt++) {
      try {
        events ??= await this.#eventsOf(batch)
        this.#chain ??= await AuditChain.begin(this.#deps)
        await this.#chain.append(events)
        this.#metrics.written.inc(events.length)
        return
      } catch (thrown) {
        const fault = faultOf(thrown)
        this.#reportFailure(fault, attempt)
        if (fault.kind === 'bug' || isRefusal(fault)) return this.#writeOneByOne(batch)
        if (this.#ended.signal.aborted) return this.#lose(batch.length, 'STOPPED')
        const waitMs = waitAfterAttemptMs(attempt, backoff, this.#deps.random)
        await pause(this.#deps.clock, waitMs, this.#ended.signal)
      }
    }
  }

  async #writeOneByOne(batch: readonly AuditedAccess[]): Promise<void> {
    if (batch.length === 1) return this.#lose(1, 'NOT_WRITABLE')
    for (const access of batch) await this.#writeUntilDone([access])
  }

  async #eventsOf(batch: readonly AuditedAccess[]): Promise<PreparedEvent[]> {
    const { database, base, ids, indexOf } = this.#deps
    const patientsOf = await auditedPatients(batch, database)
    const events: PreparedEvent[] = []
    for (const part of batch.flatMap((access) => auditedParts(access, patientsOf))) {
      const resource = auditEventOf(part, base)
      events.push({ id: ids.timeUuid(), body: { resource, index: indexOf('AuditEvent', resource) } })
      // Each takes a tenth of a millisecond, hundreds of them would hold up every answer.
      if (events.length % eventsATurn === 0) await setImmediate()
    }
    return events
  }

  #reportFailure(fault: Fault, attempt: number): void {
    this.#metrics.failures.inc()
    // The message of an error that is not ours may quote what was to be written.
    const error = fault.cause instanceof Error ? fault.cause.name : fault.message
    this.#deps.log.error('audit log not written', {
      ...{ count: this.#queue.length, attempt, faultKind: fault.kind },
      ...(fault.kind === 'bug' ? { error } : {}),
    })
  }

  #lose(count: number, faultCode: string): void {
    this.#metrics.lost.inc(count)
    this.#deps.log.error('accesses not audited', { count, faultCode })
  }
}

/**
 * Who shows no good token gets at nothing, and must not be able to fill the log; nor must those who are turned away
 * because it is full.
 */
const isKnown = ({ caller, outcome }: AuditedAccess) =>
  caller !== undefined && !(outcome.kind === 'failed' && outcome.code === logFull)

const logFull = 'AUDIT_LOG_FULL'

/** At least one, and no more than a transaction should hold. */
function firstOf(queue: readonly AuditedAccess[], { batchMax, touchedMax }: AuditLimits): readonly AuditedAccess[] {
  let touched = 0
  const end = queue.slice(0, batchMax).findIndex((access) => (touched += access.touched.length) > touchedMax)
  return queue.slice(0, end === -1 ? batchMax : Math.max(1, end))
}
