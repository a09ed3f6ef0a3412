import { beforeAbort } from '../../../packages/clock/before-abort.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unavailable } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { Subscription as FhirSubscription } from '../../../ports/fhir-store/resources.ts'
import type { Criteria } from '../../../ports/resource-matching/resource-matching.ts'
import { readSubscription, type ListedSubscription, type Subscription } from './subscription.ts'

interface BookDeps {
  readonly fhirStore: FhirStore
  readonly clock: Clock
  readonly log: Log
  /** One sentence where this endpoint may not be called. */
  readonly refusal: (endpoint: string) => string | undefined
  /** One sentence where the store cannot be asked by these criteria. */
  readonly criteriaRefusal: (criteria: Criteria, call?: CallOptions) => Promise<string | undefined>
}

/** Half of what is promised: a change is seen by the next look after it. */
const believedMs = 15_000

/** After this time a status that could not be written is worth another try: not for each of the deliveries that wait. */
const tellAgainMs = 60_000

/**
 * The subscriptions as the store has them. Those that fail stay in use with status `error`, and become active again
 * with the first delivery that arrives: what happens in between is not missed.
 */
export class SubscriptionBook {
  readonly #deps: BookDeps
  #known: readonly Subscription[] = []
  /** Undefined until the store has answered once. */
  #listed: readonly ListedSubscription[] | undefined
  /** The version of each as it was last read: what was wrong with another one says nothing of this one. */
  #versions: ReadonlyMap<string, string | undefined> = new Map()
  /** Criteria that the store understood. */
  #understood: ReadonlySet<string> = new Set()
  #untilMs = Number.NEGATIVE_INFINITY
  /** Until then nobody looks again for a delivery: the last look was in vain. */
  #awayUntilMs = Number.NEGATIVE_INFINITY
  #generation = 0
  #reading: Promise<readonly Subscription[]> | undefined
  /** What was wrong when it was last looked at, by subscription: said once, not at every look. */
  readonly #told = new Map<string, { readonly what: string; readonly untilMs: number }>()
  readonly #marking = new Map<string, Promise<boolean>>()
  /** What is done for several who ask ends with the book, not with the first of them; each call has its deadline. */
  readonly #ending = new AbortController()
  readonly #own: CallOptions = { signal: this.#ending.signal }

  constructor(deps: BookDeps) {
    this.#deps = deps
  }

  /** Whoever asks while somebody asks gets the same answer. */
  current(call?: CallOptions): Promise<readonly Subscription[]> {
    if (this.#deps.clock.monotonicMs() < this.#untilMs) return Promise.resolve(this.#known)
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined))
    return unlessGone(this.#reading, call)
  }

  /**
   * By whose settings a delivery goes out now: undefined where it was switched off or removed, one sentence where it cannot
   * be served. While the store does not answer, what was last known of it holds; what was not is `unavailable`.
   */
  async serving(id: string, call?: CallOptions): Promise<Subscription | string | undefined> {
    const known = (await this.#lastKnown(call)).find((one) => one.id === id)
    if (known !== undefined) return known
    if (this.#isAway()) throw unavailable('The subscriptions cannot be read now.')
    // Another copy may have seen it first, and a list does not say why something is not in it.
    const resource = await this.#deps.fhirStore.read<FhirSubscription>('Subscription', id, call)
    return resource === undefined || resource.status === 'off' || this.#isOver(resource)
      ? undefined
      : this.#read(resource)
  }

  /**
   * All that are switched on, by their ids, also those that cannot be served, each with why. While the store does not
   * answer, what was last known: who looks after messages is most in need of it then.
   */
  async listed(call?: CallOptions): Promise<readonly ListedSubscription[]> {
    await this.#lastKnown(call)
    if (this.#listed === undefined) throw unavailable('The FHIR store, which has the subscriptions, does not answer.')
    return this.#listed
  }

  /** The next look asks the store. */
  forget(): void {
    this.#generation++
    this.#untilMs = Number.NEGATIVE_INFINITY
  }

  async markError(id: string, error: string, call?: CallOptions): Promise<void> {
    const { clock } = this.#deps
    const what = `${this.#versions.get(id) ?? ''} ${error}`
    const told = this.#told.get(id)
    if (told?.what === what && clock.monotonicMs() < told.untilMs) return
    const isWritten = await unlessGone(this.#mark(id, 'error', error), call)
    const untilMs = isWritten ? Number.POSITIVE_INFINITY : clock.monotonicMs() + tellAgainMs
    this.#told.set(id, { what, untilMs })
  }

  async markActive(id: string, call?: CallOptions): Promise<void> {
    this.#told.delete(id)
    await unlessGone(this.#mark(id, 'active', undefined), call)
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#ending.abort(unavailable('This server is stopping.'))
    await Promise.allSettled([this.#reading, ...this.#marking.values()])
  }

  /** Deliveries go on without the store: not each of them waits for a look of its own. */
  async #lastKnown(call: CallOptions | undefined): Promise<readonly Subscription[]> {
    if (this.#isAway()) return this.#known
    try {
      return await this.current(call)
    } catch (thrown) {
      call?.signal?.throwIfAborted()
      const { kind, message, logged } = faultOf(thrown)
      this.#deps.log.warn('subscriptions not read', { faultKind: kind, error: logged ?? message })
      this.#awayUntilMs = this.#deps.clock.monotonicMs() + believedMs
      return this.#known
    }
  }

  #isAway(): boolean {
    return this.#deps.clock.monotonicMs() < this.#awayUntilMs
  }

  #isOver({ end }: FhirSubscription): boolean {
    return end !== undefined && new Date(end) <= this.#deps.clock.now()
  }

  async #readAll(): Promise<readonly Subscription[]> {
    const { clock, fhirStore } = this.#deps
    const generation = this.#generation
    const parameters = { status: ['active,requested,error'], _count: '1000' }
    const resources = await fhirStore.searchAll<FhirSubscription>('Subscription', parameters, this.#own)
    const current = resources.filter((resource) => !this.#isOver(resource))
    this.#versions = new Map(current.map(({ id = '', meta }) => [id, meta?.versionId]))
    const understood = new Set<string>()
    const served: Subscription[] = []
    const listed: ListedSubscription[] = []
    for (const resource of current) {
      const read = this.#read(resource)
      // What the store does not understand now it may understand later: it is served all the same.
      if (typeof read !== 'string') served.push(read)
      const wrong = typeof read === 'string' ? read : await this.#wrongCriteria(read, understood)
      if (wrong !== undefined) await this.markError(resource.id ?? '', wrong)
      else if (resource.status === 'requested') await this.#mark(resource.id ?? '', 'active', undefined)
      listed.push(listedOf(resource, wrong))
    }
    this.#known = served
    this.#listed = listed.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    this.#understood = understood
    // What was told to be forgotten while it was being read is not believed at all.
    if (generation === this.#generation) this.#untilMs = clock.monotonicMs() + believedMs
    return served
  }

  async #wrongCriteria({ criteria }: Subscription, understood: Set<string>): Promise<string | undefined> {
    const asked = `${criteria.type}?${criteria.query}`
    try {
      const wrong = this.#understood.has(asked) ? undefined : await this.#deps.criteriaRefusal(criteria, this.#own)
      if (wrong === undefined) understood.add(asked)
      return wrong
    } catch (thrown) {
      // No answer says nothing of the criteria, and one subscription must not stop the others: the next look asks again.
      const { kind, message, logged } = faultOf(thrown)
      this.#deps.log.warn('criteria of a subscription not asked', { faultKind: kind, error: logged ?? message })
      return undefined
    }
  }

  #read(resource: FhirSubscription): Subscription | string {
    const read = readSubscription(resource)
    if (typeof read === 'string' || read.endpoint === undefined || read.channel === 'sms') return read
    return this.#deps.refusal(read.endpoint) ?? read
  }

  /** Many deliveries may end at once: whoever marks it so while somebody does waits for the same. */
  #mark(id: string, status: 'active' | 'error', error: string | undefined): Promise<boolean> {
    const what = `${status} ${id}`
    const marking = this.#marking.get(what) ?? this.#write(id, status, error).finally(() => this.#marking.delete(what))
    this.#marking.set(what, marking)
    return marking
  }

  /** A status is a help for people: that it could not be written, and false is the answer, stops nothing. */
  async #write(id: string, status: 'active' | 'error', error: string | undefined): Promise<boolean> {
    const { fhirStore, log } = this.#deps
    try {
      const resource = await fhirStore.read<FhirSubscription>('Subscription', id, this.#own)
      if (resource === undefined || resource.status === 'off') return true
      if (resource.status === status && resource.error === error) return true
      const { error: _before, ...rest } = resource
      const version = resource.meta?.versionId
      await fhirStore.update(
        { ...rest, id, status, ...(error === undefined ? {} : { error }) },
        { ...this.#own, ...(version === undefined ? {} : { version }) },
      )
      this.forget()
      return true
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      log.warn('status of a subscription not written', { state: status, faultKind: kind, error: logged ?? message })
      return false
    }
  }
}

/** Whoever has gone waits no longer; what was begun for others goes on. */
const unlessGone = <Value>(shared: Promise<Value>, call: CallOptions | undefined): Promise<Value> =>
  call?.signal === undefined ? shared : beforeAbort(shared, call.signal)

function listedOf(resource: FhirSubscription, wrong: string | undefined): ListedSubscription {
  const { id = '', status, reason, criteria, channel } = resource
  const error = wrong ?? (status === 'error' ? resource.error : undefined)
  const isFine = wrong === undefined && status !== 'error'
  return {
    ...{ id, reason, criteria, channel: channel.type, endpoint: withoutSecret(channel.endpoint), error },
    status: isFine ? 'active' : 'error',
  }
}

/** A password in an address is one of the things that are wrong, and is not shown for it. */
const withoutSecret = (endpoint: string | undefined) => endpoint?.replace(/\/\/[^/]*@/, '//')
