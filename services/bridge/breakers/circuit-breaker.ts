import { beforeAbort } from '../../../packages/clock/before-abort.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unavailable, type Fault, type FaultKind } from '../../../packages/faults/fault.ts'

export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF-OPEN'

export interface BreakerRule {
  /** So many failures one after the other open it. */
  readonly consecutiveFailures: number
  /** So does this share of the last `window` calls, once there were `minimumCalls` of them. */
  readonly failureShare: number
  readonly window: number
  readonly minimumCalls: number
  /** How long it stays open; doubled whenever a trial call fails, up to `openMsMax`. */
  readonly openMs: number
  readonly openMsMax: number
  /** So many trial calls must go well before it closes. */
  readonly trialCalls: number
}

/** Reference, section 14: one site's store is known to be gone after five calls, not after a hundred. */
export const defaultBreakerRule: BreakerRule = {
  consecutiveFailures: 5,
  failureShare: 0.5,
  window: 20,
  minimumCalls: 10,
  openMs: 30_000,
  openMsMax: 300_000,
  trialCalls: 3,
}

export interface BreakerEntry {
  readonly state: BreakerState
  /** Of the current window; both begin at 0 with every change of state. */
  readonly failureCount: number
  readonly successCount: number
}

/** Thrown instead of a call: the dependency is known to be down, and nobody was asked. */
export const circuitOpenCode = 'CIRCUIT_OPEN'

/**
 * Keeps calls away from a dependency that is down. Only failures of the dependency count; an answer that refuses the
 * request is an answer.
 */
export class CircuitBreaker {
  readonly #name: string
  readonly #rule: BreakerRule
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #onChange: (state: BreakerState) => void
  #state: BreakerState = 'CLOSED'
  /** True for a failure, oldest first. */
  #calls: boolean[] = []
  #consecutive = 0
  #openMs: number
  #trialFromMs = 0
  #trialsUnderWay = 0
  /** Counts the changes: a call that began before one of them says nothing about what came after, and takes no place in it. */
  #era = 0

  constructor(name: string, { rule = defaultBreakerRule, clock, onChange = () => {} }: CircuitBreakerOptions) {
    this.#name = name
    this.#rule = rule
    this.#clock = clock
    this.#onChange = onChange
    this.#openMs = rule.openMs
  }

  get entry(): BreakerEntry {
    const failureCount = this.#calls.filter(Boolean).length
    return { state: this.state, failureCount, successCount: this.#calls.length - failureCount }
  }

  /** A look changes nothing: what alerts see of it changes with the first trial, which only a call can be. */
  get state(): BreakerState {
    const isDue = this.#state === 'OPEN' && this.#clock.monotonicMs() >= this.#trialFromMs
    return isDue ? 'HALF-OPEN' : this.#state
  }

  /** The signal is the one that the work was given: it says whose end an end was. */
  async call<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // Whoever has gone, or has no time left, asks nobody: that is no word about the dependency, and no trial of it.
    if (signal?.aborted === true) throw faultOf(signal.reason)
    const era = this.#admit()
    try {
      // Whoever does not heed the signal would keep the place of a trial for ever.
      const result = await (signal === undefined ? work() : beforeAbort(work(), signal))
      this.#record(false, era)
      return result
    } catch (thrown) {
      const fault = faultOf(thrown)
      if (wasGivenUp(signal)) this.#giveBack(era)
      else this.#record(isFailure(fault), era)
      throw fault
    }
  }

  /** Says that the dependency is well again, without waiting for a trial. */
  reset(): void {
    this.#openMs = this.#rule.openMs
    this.#become('CLOSED')
  }

  #admit(): number {
    const { state } = this
    const isTrial = state === 'HALF-OPEN'
    // Those that went well keep their places: so many pass, not so many at once.
    const hasRoom = this.#trialsUnderWay + this.#calls.length < this.#rule.trialCalls
    if (state === 'OPEN' || (isTrial && !hasRoom)) {
      const waitMs = Math.max(0, this.#trialFromMs - this.#clock.monotonicMs())
      throw unavailable(`The ${this.#name} is known to be down; it is not asked for now.`, {
        code: circuitOpenCode,
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    }
    if (isTrial) {
      if (this.#state === 'OPEN') this.#become('HALF-OPEN')
      this.#trialsUnderWay++
    }
    return this.#era
  }

  #giveBack(era: number): void {
    if (era === this.#era && this.#state === 'HALF-OPEN') this.#trialsUnderWay--
  }

  #record(failed: boolean, era: number): void {
    if (era !== this.#era) return
    this.#giveBack(era)
    this.#calls.push(failed)
    if (this.#calls.length > this.#rule.window) this.#calls.shift()
    this.#consecutive = failed ? this.#consecutive + 1 : 0
    if (this.#state === 'HALF-OPEN') this.#afterTrial(failed)
    else if (this.#isTooMuch()) this.#open()
  }

  #afterTrial(failed: boolean): void {
    if (failed) {
      this.#openMs = Math.min(this.#openMs * 2, this.#rule.openMsMax)
      this.#open()
    } else if (this.#calls.length >= this.#rule.trialCalls) {
      this.#openMs = this.#rule.openMs
      this.#become('CLOSED')
    }
  }

  #isTooMuch(): boolean {
    const { consecutiveFailures, failureShare, minimumCalls } = this.#rule
    if (this.#consecutive >= consecutiveFailures) return true
    const failures = this.#calls.filter(Boolean).length
    return this.#calls.length >= minimumCalls && failures / this.#calls.length >= failureShare
  }

  #open(): void {
    this.#trialFromMs = this.#clock.monotonicMs() + this.#openMs
    this.#become('OPEN')
  }

  #become(state: BreakerState): void {
    this.#era++
    this.#trialsUnderWay = 0
    this.#calls = []
    this.#consecutive = 0
    if (state === this.#state) return
    this.#state = state
    this.#onChange(state)
  }
}

interface CircuitBreakerOptions {
  readonly rule?: BreakerRule
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Told of every change, also of the one to half-open, which the first trial makes. */
  readonly onChange?: (state: BreakerState) => void
}

const answers: ReadonlySet<FaultKind> = new Set(['incorrect', 'forbidden', 'missing', 'conflict', 'unprocessable'])

/** Connection errors, timeouts, 5xx, 429, and credentials that are not taken. */
const isFailure = ({ kind }: Fault): boolean => !answers.has(kind)

/**
 * A caller that ended for a reason of its own (its copy lost the lease) says nothing of whom it had called. One whose
 * time was over does: where a message has less time than a call, a dependency that hangs is known by nothing else.
 */
function wasGivenUp(signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted) return false
  const reason: unknown = signal.reason
  return !(reason instanceof Error && reason.name === 'TimeoutError')
}
