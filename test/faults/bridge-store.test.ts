import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  halfOpen,
  hang,
  loseResponse,
  refuse,
  slow,
  status,
  type FaultMode,
} from '../../packages/testkit/fault-modes.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { troubledStore, type TroubledStore } from './places/troubled-store.ts'

const troubleMs = casesOf({ daily: 5_000, long: 60_000 })
/** Stores that suffer at once: while one waits, so do the others, and each takes a while to start. */
const storeCount = casesOf({ daily: 2, long: 6 })

const ways: readonly (readonly [what: string, mode: FaultMode])[] = [
  ['refuses connections', refuse],
  ['answers 503', status(503)],
  ['never answers', hang],
  ['is half-open', halfOpen],
  ['answers late', slow({ delayMs: 1_500 })],
  ['writes and is not heard', loseResponse],
]

describe(`a store that is in trouble for ${troubleMs / 1_000} s while messages come`, () => {
  const numbers = Array.from({ length: storeCount }, (_, number) => number)
  const stores: TroubledStore[] = []
  const suffered = new Map<string, Promise<void>>()

  beforeAll(async () => {
    for (const index of numbers) {
      const store = await troubledStore({
        ...{ 'outbound.deadlineMs': '1000', 'bridge.answerWithinMs': '5000' },
        ...{ 'bridge.breaker.openMs': '100', 'bridge.breaker.openMsMax': '500' },
        // What is parked is acknowledged at once: without a pace its senders would pile up hundreds behind it.
        'bridge.channels.adt.messagesPerMinute': '240',
        'bridge.channels.adt.retry.maxAttempts': '100',
        ...{ 'bridge.channels.adt.retry.baseMs': '100', 'bridge.channels.adt.retry.maxMs': '1000' },
      })
      stores.push(store)
      let last = Promise.resolve()
      for (const [what, mode] of ways.filter((_, number) => number % storeCount === index)) {
        last = last.then(() => store.suffer(mode, troubleMs))
        // The test of its name waits for it and fails with it.
        last.catch(() => {})
        suffered.set(what, last)
      }
    }
  }, 120_000)
  afterAll(() => Promise.all(stores.map((store) => store[Symbol.asyncDispose]())))

  it.each(ways)(
    'that %s: messages go on when it is well again',
    (what) => expect(suffered.get(what)).resolves.toBeUndefined(),
    600_000,
  )

  it.for(numbers)(
    'has lost nothing, applied nothing twice and kept the order of each patient (%i)',
    { timeout: 700_000 },
    async (index, { task }) => {
      // All of them share this process: who still sends to one would hold up what the others have left to do.
      await Promise.all(stores.map((store) => store.endSending()))
      const fates = await stores[index]?.fates()
      tellFigures(task, fates?.figures ?? {})
      expect(fates?.faults).toEqual([])
    },
  )
})
