import { expect, it } from 'vitest'
import { seededRandom } from '../../clock/ids.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { faultOf, unavailable } from '../../faults/fault.ts'
import { isUntried } from './task-attempt.ts'
import { ReceiverPlaces } from './receiver-places.ts'

/** Two places a receiver, and sendings that end when they are told to. */
function world() {
  const clock = new SimulatedClock()
  const places = new ReceiverPlaces({ clock, random: seededRandom(1), share: 2 })
  const begun: string[] = []
  const answers = new Map<string, () => void>()
  const send = (name: string, receiver = 'lab', signal = new AbortController().signal) =>
    places
      .hold(
        receiver,
        () => {
          begun.push(name)
          return new Promise<string>((resolve) => answers.set(name, () => resolve('sent')))
        },
        signal,
      )
      .catch(faultOf)
  return { clock, begun, send, answer: (name: string) => answers.get(name)?.() }
}

const waitOf = (end: unknown) => faultOf(end).retryAfterSeconds ?? Number.NaN

it('a receiver has its share; who comes then goes when one of those is through, in the order of their coming', async () => {
  const { clock, begun, send, answer } = world()
  const ends = ['a', 'b', 'c', 'd'].map((name) => send(name))
  await clock.advance(999)
  expect(begun).toEqual(['a', 'b'])
  answer('b')
  await clock.advance(0)
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c']) answer(name)
  await clock.advance(0)
  answer('d')
  expect(await Promise.all(ends)).toEqual(['sent', 'sent', 'sent', 'sent'])
  expect(clock.waiting).toBe(0)
})

it('who waits for a second is given back untried, and for a while nobody waits; others have their own places', async () => {
  const { clock, begun, send, answer } = world()
  const [first, , third] = ['a', 'b', 'c'].map((name) => send(name))
  await clock.advance(1_000)
  const given = faultOf(await third)
  expect([isUntried(given), given.shown]).toEqual([true, 'The receiver is slow, and others are on their way to it.'])
  // At once, however much of it there is.
  const turnedAway = await Promise.all(['d', 'e'].map((name) => send(name)))
  expect([given, ...turnedAway].map((end) => Math.round(waitOf(end)))).toEqual([1, 1, 1])
  const elsewhere = send('other', 'ward')
  await clock.advance(0)
  expect(begun).toEqual(['a', 'b', 'other'])
  answer('other')
  answer('a')
  expect(await Promise.all([first, elsewhere])).toEqual(['sent', 'sent'])
  void send('f')
  await clock.advance(9_999)
  expect(begun.at(-1)).toBe('f')
  expect(waitOf(await send('g'))).toBeGreaterThan(0)
  await clock.advance(1)
  void send('h')
  answer('f')
  await clock.advance(0)
  expect(begun.at(-1)).toBe('h')
})

it('those that are given back come again one after the other, and within a minute', async () => {
  const { clock, send } = world()
  for (const name of ['a', 'b', 'c']) void send(name)
  await clock.advance(1_000)
  const waits = (await Promise.all(Array.from({ length: 10_000 }, () => send('more')))).map(waitOf)
  expect(Math.min(...waits)).toBeGreaterThan(0.9)
  expect(Math.max(...waits)).toBeLessThan(66)
  // A hundred a second.
  const early = waits.filter((wait) => wait < 21).length
  expect(early).toBeGreaterThan(1_700)
  expect(early).toBeLessThan(2_300)
})

it('a place that fails is free again, and nothing is sent for whom nobody waits any more', async () => {
  const { clock, begun, send, answer } = world()
  const places = new ReceiverPlaces({ clock, random: seededRandom(1), share: 1 })
  const { signal } = new AbortController()
  const failing = places.hold('lab', () => Promise.reject(unavailable('No.')), signal)
  await expect(failing).rejects.toThrow('No.')
  expect(await places.hold('lab', async () => 'sent', signal)).toBe('sent')
  const ending = new AbortController()
  const [, , left] = [send('a'), send('b'), send('c', 'lab', ending.signal), send('d')]
  ending.abort(unavailable('Stopping.'))
  expect(faultOf(await left).message).toBe('Stopping.')
  answer('a')
  await clock.advance(0)
  expect(begun).toEqual(['a', 'b', 'd'])
  expect(faultOf(await send('e', 'ward', ending.signal)).message).toBe('Stopping.')
})
