import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { CallOptions, FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Subscription as FhirSubscription } from '../../../ports/fhir-store/resources.ts'
import { readSubscription, type Subscription } from './subscription.ts'

export interface BookDeps {
  readonly fhirStore: FhirStore
  readonly clock: Clock
  readonly log: Log
  /** One sentence where this endpoint may not be called. */
  readonly refusal: (endpoint: string) => string | undefined
}

/** Half of what is promised: a change is seen by the next look after it. */
const believedMs = 15_000

/**
 * The subscriptions as the store has them. Those that fail stay in use with status `error`, and become active again
 * with the first delivery that arrives: what happens in between is not missed.
 */
export class SubscriptionBook {
  readonly #deps: BookDeps
  #known: readonly Subscription[] = []
  #untilMs = Number.NEGATIVE_INFINITY
  #generation = 0
  #reading: Promise<readonly Subscription[]> | undefined
  /** What was wrong when it was last looked at, by subscription: said once, not at every look. */
  readonly #told = new Map<string, string>()
  readonly #marking = new Map<string, Promise<void>>()

  constructor(deps: BookDeps) {
    this.#deps = deps
  }

  /** Whoever asks while somebody asks gets the same answer. */
  current(call?: CallOptions): Promise<readonly Subscription[]> {
    if (this.#deps.clock.monotonicMs() < this.#untilMs) return Promise.resolve(this.#known)
    this.#reading ??= this.#readAll(call).finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** The next look asks the store. */
  forget(): void {
    this.#generation++
    this.#untilMs = Number.NEGATIVE_INFINITY
  }

  async markError(id: string, error: string, call?: CallOptions): Promise<void> {
    if (this.#told.get(id) === error) return
    await this.#mark(id, 'error', error, call)
    this.#told.set(id, error)
  }

  async markActive(id: string, call?: CallOptions): Promise<void> {
    this.#told.delete(id)
    await this.#mark(id, 'active', undefined, call)
  }

  async #readAll(call: CallOptions | undefined): Promise<readonly Subscription[]> {
    const { clock, fhirStore } = this.#deps
    const generation = this.#generation
    const parameters = { status: ['active,requested,error'], _count: '1000' }
    const resources = await fhirStore.search<FhirSubscription>('Subscription', parameters, call)
    const served: Subscription[] = []
    for (const resource of resources.filter(({ end }) => end === undefined || new Date(end) > clock.now())) {
      const read = this.#read(resource)
      if (typeof read === 'string') await this.markError(resource.id ?? '', read, call)
      else served.push(read)
      if (typeof read !== 'string' && resource.status === 'requested')
        await this.#mark(read.id, 'active', undefined, call)
    }
    this.#known = served
    // What was told to be forgotten while it was being read is not believed at all.
    if (generation === this.#generation) this.#untilMs = clock.monotonicMs() + believedMs
    return served
  }

  #read(resource: FhirSubscription): Subscription | string {
    const read = readSubscription(resource)
    if (typeof read === 'string' || read.endpoint === undefined || read.channel === 'sms') return read
    return this.#deps.refusal(read.endpoint) ?? read
  }

  /** Many deliveries may end at once: whoever marks it so while somebody does waits for the same. */
  #mark(id: string, status: 'active' | 'error', error: string | undefined, call?: CallOptions): Promise<void> {
    const what = `${status} ${id}`
    const marking =
      this.#marking.get(what) ?? this.#write(id, status, error, call).finally(() => this.#marking.delete(what))
    this.#marking.set(what, marking)
    return marking
  }

  /** A status is a help for people: that it could not be written stops nothing. */
  async #write(id: string, status: 'active' | 'error', error: string | undefined, call?: CallOptions): Promise<void> {
    const { fhirStore, log } = this.#deps
    try {
      const resource = await fhirStore.read<FhirSubscription>('Subscription', id, call)
      if (resource === undefined || resource.status === 'off' || resource.status === status) return
      const { error: _before, ...rest } = resource
      const version = resource.meta?.versionId
      await fhirStore.update(
        { ...rest, id, status, ...(error === undefined ? {} : { error }) },
        { ...call, ...(version === undefined ? {} : { version }) },
      )
      this.forget()
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      log.warn('status of a subscription not written', { state: status, faultKind: kind, error: logged ?? message })
    }
  }
}
