import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { LaneMemory } from './lane-memory.ts'

/** A memory that has seen these tickets through, lane by lane. */
function memoryOf(through: Readonly<Record<string, number>>, clock = new SimulatedClock()): LaneMemory {
  const memory = new LaneMemory(clock)
  for (const [lane, ticket] of Object.entries(through)) memory.noteThrough({ lane, ticket })
  return memory
}

const placesOf = (tickets: Readonly<Record<string, number>>) =>
  Object.entries(tickets).map(([lane, ticket]) => ({ lane, ticket }))

describe('a lane was quiet', () => {
  it.each([
    ['the first ticket of all', {}, { a: 1 }, true],
    ['the next after ours', { a: 4 }, { a: 5 }, true],
    ['a ticket behind that of another copy', { a: 4 }, { a: 6 }, false],
    ['a ticket of a lane that was forgotten', {}, { a: 5 }, false],
    ['a lane that began anew', { a: 4 }, { a: 1 }, false],
    ['two next ones', { a: 4, b: 7 }, { a: 5, b: 8 }, true],
    ['two lanes, in one of which somebody else was', { a: 4, b: 7 }, { a: 5, b: 9 }, false],
    ['a lane that was not looked at', { a: 4 }, { a: 5, c: 1 }, false],
  ])('or not, by %s', (_, through, tickets, isQuiet) => {
    const watch = memoryOf(through).watch(['a', 'b'])
    expect(watch.wasQuiet(placesOf(tickets))).toBe(isQuiet)
  })

  it('as it was when it was looked at, whoever is through meanwhile', () => {
    const memory = memoryOf({ a: 4 })
    const watch = memory.watch(['a'])
    memory.noteThrough({ lane: 'a', ticket: 5 })
    expect(watch.wasQuiet([{ lane: 'a', ticket: 6 }])).toBe(false)
  })
})

const dayMs = 86_400_000

it.each([
  ['within a day', (clock: SimulatedClock) => clock.advance(dayMs - 1), true],
  ['after a day', (clock: SimulatedClock) => clock.advance(dayMs), false],
  ['after a day in which the machine slept', async (clock: SimulatedClock) => clock.jump(dayMs), false],
  [
    'after a day, when the clock was set back',
    async (clock: SimulatedClock) => {
      clock.jump(-dayMs)
      await clock.advance(dayMs)
    },
    false,
  ],
])('the ticket behind ours tells whether a lane was quiet %s, before tickets begin anew', async (_, pass, isQuiet) => {
  const clock = new SimulatedClock()
  const memory = memoryOf({ a: 4 }, clock)
  await pass(clock)
  expect(memory.watch(['a']).wasQuiet([{ lane: 'a', ticket: 5 }])).toBe(isQuiet)
})

it('lanes that were often not quiet are not likely to be, until they are again', () => {
  const memory = memoryOf({})
  const look = (ticket: number) => {
    const watch = memory.watch(['a'])
    watch.wasQuiet([{ lane: 'a', ticket }])
    return watch.isLikelyQuiet
  }
  expect([2, 2, 2, 2, 2, 1, 2, 2].map(look)).toEqual([true, true, true, true, false, false, true, false])
})
