import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { Subscription as FhirSubscription } from '../../../ports/fhir-store/resources.ts'
import { SubscriptionBook } from './subscription-book.ts'

const subscription: FhirSubscription & { readonly id: string } = {
  ...{ resourceType: 'Subscription', id: 'own', status: 'error', reason: 'A test', criteria: 'Patient?active=true' },
  channel: { type: 'rest-hook', endpoint: 'http://127.0.0.1:9/' },
}

/** A store that answers when it is told to, and heeds the signals of its callers. */
function slowBook() {
  const clock = new SimulatedClock()
  const captured = capturedLog(clock)
  const answering = Promise.withResolvers<void>()
  const calls: string[] = []
  const answer = (name: string, value: unknown, call: CallOptions = {}) => {
    calls.push(name)
    const gone = Promise.withResolvers<never>()
    call.signal?.addEventListener('abort', () => gone.reject(call.signal?.reason))
    return Promise.race([answering.promise.then(() => value), gone.promise])
  }
  // Sound: a book asks nothing else of a store.
  const fhirStore = {
    searchAll: (_type: string, _parameters: object, call?: CallOptions) => answer('search', [subscription], call),
    read: (_type: string, _id: string, call?: CallOptions) => answer('read', subscription, call),
    update: (resource: object, call?: CallOptions) => answer('update', { resource }, call),
  } as unknown as FhirStore
  const asking = { refusal: () => undefined, criteriaRefusal: async () => undefined }
  const book = new SubscriptionBook({ fhirStore, clock, log: captured.log, ...asking })
  return { book, calls, captured, answer: () => answering.resolve() }
}

/** A store that has these, until it is told to be away. */
function bookOf(...has: readonly FhirSubscription[]) {
  const clock = new SimulatedClock()
  const state = { isAway: false, has, looks: 0 }
  const answer = async <Value>(value: () => Value) => {
    state.looks++
    if (state.isAway) throw unavailable('The store is away.')
    return value()
  }
  // Sound: a book asks nothing else of a store.
  const fhirStore = {
    searchAll: () => answer(() => state.has.filter(({ status }) => status !== 'off')),
    read: (_type: string, id: string) => answer(() => state.has.find((one) => one.id === id)),
    update: (changed: FhirSubscription) =>
      answer(() => {
        state.has = state.has.map((one) => (one.id === changed.id ? changed : one))
      }),
  } as unknown as FhirStore
  const refusal = (endpoint: string) => (endpoint.includes('10.1.2.3') ? 'Not there.' : undefined)
  const deps = { fhirStore, clock, log: capturedLog(clock).log, refusal, criteriaRefusal: async () => undefined }
  return { clock, state, book: new SubscriptionBook(deps) }
}

describe('a book of subscriptions that is asked for one', () => {
  it('says how it is now, whether or not it was there at the last look', async () => {
    const { book, state } = bookOf()
    await book.current()
    state.has = [subscription]
    expect(await book.serving('own')).toMatchObject({ id: 'own', endpoint: 'http://127.0.0.1:9/' })
  })

  it.each<[string, FhirSubscription[], string | undefined]>([
    ['nothing of one that was removed', [], undefined],
    ['nothing of one that was switched off', [{ ...subscription, status: 'off' }], undefined],
    ['nothing of one whose time is over', [{ ...subscription, end: '1970-01-01T00:00:00Z' }], undefined],
    [
      'why of one that cannot be served',
      [{ ...subscription, channel: { ...subscription.channel, endpoint: 'http://10.1.2.3/' } }],
      'Not there.',
    ],
  ])('says %s', async (_, has, said) => {
    expect(await bookOf(...has).book.serving('own')).toBe(said)
  })

  it('says how it was last known while the store is away, which is not asked by everybody', async () => {
    const { book, state, clock } = bookOf(subscription)
    await book.current()
    state.isAway = true
    await clock.leap(15_000)
    state.looks = 0
    for (let count = 0; count < 3; count++) expect(await book.serving('own')).toMatchObject({ id: 'own' })
    await expect(book.serving('other')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(state.looks).toBe(1)
    await expect(book.current()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await book.listed()).toMatchObject([{ id: 'own', status: 'error' }])
    state.isAway = false
    state.has = []
    await clock.leap(15_000)
    expect(await book.serving('own')).toBeUndefined()
  })
})

it('lists nothing, and says so, as long as the store has never answered', async () => {
  const { book, state, clock } = bookOf(subscription)
  state.isAway = true
  await expect(book.listed()).rejects.toMatchObject({ kind: 'unavailable' })
  state.isAway = false
  await clock.leap(15_000)
  expect(await book.listed()).toHaveLength(1)
})

const callers = () => {
  const first = new AbortController()
  return { first, second: new AbortController(), leave: () => first.abort(unavailable('This server is stopping.')) }
}

describe('a book of subscriptions that several ask at once', () => {
  it('goes on for the others when the first of them leaves', async () => {
    const { book, calls, answer } = slowBook()
    const { first, second, leave } = callers()
    const one = book.current({ signal: first.signal })
    const other = book.current({ signal: second.signal })
    leave()
    await expect(one).rejects.toThrow('This server is stopping.')
    answer()
    expect((await other).map(({ id }) => id)).toEqual(['own'])
    expect(calls).toEqual(['search'])
  })

  it('writes a status for the others, too', async () => {
    const { book, calls, captured, answer } = slowBook()
    const { first, second, leave } = callers()
    const one = book.markActive('own', { signal: first.signal })
    const other = book.markActive('own', { signal: second.signal })
    leave()
    await expect(one).rejects.toThrow('This server is stopping.')
    answer()
    await other
    expect(calls).toEqual(['read', 'update'])
    expect(captured.events('status of a subscription not written')).toEqual([])
  })

  it('ends what nobody waits for when it is closed', async () => {
    const { book } = slowBook()
    const { first, leave } = callers()
    const one = book.current({ signal: first.signal })
    leave()
    await expect(one).rejects.toThrow('This server is stopping.')
    await book.close()
  })
})

it('says why what it sends does not arrive also when the store was away at that moment, and does not ask it all the time', async () => {
  const { book, clock, state } = bookOf({ ...subscription, status: 'active' })
  const away = 'The receiver cannot be reached.'
  await book.current()
  state.isAway = true
  const before = state.looks
  for (let deliveries = 0; deliveries < 10; deliveries++) await book.markError('own', away)
  expect(state.looks - before).toBe(1)
  state.isAway = false
  await clock.advance(60_000)
  await book.markError('own', away)
  expect(state.has).toMatchObject([{ status: 'error', error: away }])
})
