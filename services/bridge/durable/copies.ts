import type { Clock, Deadline } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { faultOf, unavailable, type Fault } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import { Bell } from '../../../packages/sql/tasks/bell.ts'
import { isGone, type ProcessIdentity } from '../../../packages/sql/tasks/this-process.ts'
import type { DurableStore } from './durable-store.ts'
import type { BegunWork } from './copy-statements.ts'

export interface CopiesDeps {
  readonly durable: DurableStore
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly process: ProcessIdentity
  readonly leaseMs: number
  /** Work that belonged to nobody any more was found. */
  readonly onFound: () => void
  /** The transactions that this copy works on. */
  readonly known: () => readonly string[]
}

/**
 * This copy among the others. It lives while it extends its lease; the work of one that does not is taken over. A copy
 * that lost its lease goes on under a new name, and what it had begun under the old one it cannot finish.
 */
export class Copies {
  readonly #deps: CopiesDeps
  readonly #bell = new Bell()
  readonly #stopping = new AbortController()
  #id: string
  readonly #onLost = new Set<(reason: Fault) => void>()
  /** Ends when others may take our work: then we have lost it, whether or not anybody could tell us. */
  #lease: Deadline | undefined
  #leaseEndsMs = 0
  #mayHoldUnknownUntilMs = 0
  #unknown: readonly BegunWork[] = []
  #claims = 0
  #loop: Promise<void> | undefined

  constructor(deps: CopiesDeps) {
    this.#deps = deps
    this.#id = deps.ids.uuid()
  }

  /** The name under which work is begun now. */
  get id(): string {
    return this.#id
  }

  /** Tells when work that was begun under this name belongs to others, at once if it does so already. */
  whenLost(copy: string, listener: (reason: Fault) => void): Disposable {
    if (copy === this.#id) this.#onLost.add(listener)
    else listener(leaseLost())
    return { [Symbol.dispose]: () => void this.#onLost.delete(listener) }
  }

  /**
   * Throws when what was begun under this name belongs to others by now. Asked before anything is written: a process
   * that was stopped for longer than its lease goes on where it stood before its timers tell it.
   */
  checkHeld(copy: string): void {
    if (this.#lease !== undefined && this.#deps.clock.monotonicMs() >= this.#leaseEndsMs) this.#lose()
    if (copy !== this.#id) throw leaseLost()
  }

  /** Takes the lease; everything else, taking over included, follows in the background. */
  async start(): Promise<void> {
    await this.#register()
    this.#bell.ring()
    this.#loop ??= this.#run()
  }

  /** The database did not answer a COMMIT: look for what it may have committed, or may commit in a while. */
  suspectUnknown(): void {
    this.#mayHoldUnknownUntilMs = this.#deps.clock.monotonicMs() + unknownForMs
    this.#bell.ring()
  }

  /** Work is being claimed: until this is disposed of, what we know nothing of may be just that. */
  keepUnknown(): Disposable {
    this.#claims++
    return { [Symbol.dispose]: () => void this.#claims-- }
  }

  /** Ends the lease; what is still open under our name is free for others at once. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    await this.#loop
    const { durable, log } = this.#deps
    const id = this.#id
    // First: what outlasted the grace would write beside whoever runs it next.
    this.#letGo()
    await durable
      .takeOver([id])
      .catch((thrown: unknown) => log.warn('bridge.copy-not-ended', { error: faultOf(thrown).message }))
  }

  async #run(): Promise<void> {
    const { clock, leaseMs, log } = this.#deps
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#beat()
        if (clock.monotonicMs() < this.#mayHoldUnknownUntilMs) await this.#letUnknownGo()
        await this.#takeOver()
      } catch (thrown) {
        log.warn('bridge.lease-not-extended', { error: faultOf(thrown).message })
      }
      await this.#bell.wait(clock, this.#unknown.length > 0 ? lookAgainMs : leaseMs / beatsPerLease)
    }
  }

  async #register(): Promise<void> {
    const { durable, clock, process, leaseMs } = this.#deps
    const [id, begunMs] = [this.#id, clock.monotonicMs()]
    await durable.addCopy(id, process, leaseMs)
    this.#hold(id, begunMs)
  }

  async #beat(): Promise<void> {
    const { durable, clock, leaseMs } = this.#deps
    const [id, begunMs] = [this.#id, clock.monotonicMs()]
    if (await durable.extendLease(id, leaseMs)) return this.#hold(id, begunMs)
    if (this.#lease !== undefined && id === this.#id) this.#lose()
    await this.#register()
  }

  /** Counted from before we asked: the database counts from when it heard us, which is later. */
  #hold(id: string, begunMs: number): void {
    const { clock, leaseMs } = this.#deps
    // The lease ended before its extension was heard of.
    if (id !== this.#id) return
    this.#lease?.[Symbol.dispose]()
    this.#leaseEndsMs = begunMs + leaseMs
    this.#lease = clock.deadline(Math.max(0, this.#leaseEndsMs - clock.monotonicMs()))
    this.#lease.signal.addEventListener('abort', () => this.#lose())
  }

  #lose(): void {
    this.#deps.log.error('bridge.lease-lost', { copy: this.#id })
    this.#letGo()
  }

  /** What was begun under the present name is no longer ours, and whoever works on it hears of it. */
  #letGo(): void {
    this.#lease?.[Symbol.dispose]()
    this.#lease = undefined
    this.#id = this.#deps.ids.uuid()
    this.#unknown = []
    for (const listener of this.#onLost) listener(leaseLost())
  }

  /**
   * Work that stands under our name and that nobody here works on. Seen once, it may have been begun a moment ago;
   * what we know nothing of when we look again is freed, unless it was begun anew meanwhile.
   */
  async #letUnknownGo(): Promise<void> {
    const { durable, known, onFound } = this.#deps
    const ours = new Set(known())
    const lost = this.#claims > 0 ? [] : this.#unknown.filter(({ transactionId }) => !ours.has(transactionId))
    if (lost.length > 0 && (await durable.release(this.#id, lost)) > 0) onFound()
    this.#unknown = await durable.unknownWork(this.#id, known())
  }

  async #takeOver(): Promise<void> {
    const { durable, process, log, onFound } = this.#deps
    const here = await durable.copiesAt(process.place)
    const gone = here.filter((row) => row.id !== this.#id && isGone(row, process)).map(({ id }) => id)
    const count = await durable.takeOver(gone)
    if (count === 0) return
    log.info('bridge.work-taken-over', { count })
    onFound()
  }
}

const leaseLost = () => unavailable('This copy was taken for dead. Try again in a moment.', { code: 'LEASE_LOST' })

const beatsPerLease = 4
/** A transaction that nobody waits for any more may still be committed; by then it has been, or never will be. */
const unknownForMs = 60_000
const lookAgainMs = 250
