import { expect, it } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { retryAfterSeconds } from './retry-after.ts'

const clock = new SimulatedClock('2026-03-04T06:15:00Z')

it.each([
  ['120', 120],
  ['0', 0],
  ['Wed, 04 Mar 2026 06:15:30 GMT', 30],
  ['Wednesday, 04-Mar-26 06:17:00 GMT', 120],
  ['Wed, 04 Mar 2026 06:14:59 GMT', 0],
  ['Someday GMT', undefined],
  ['soon 5', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['', undefined],
])('Retry-After: %s asks for %s seconds', (said, seconds) => {
  expect(retryAfterSeconds(new Headers({ 'retry-after': said }), clock)).toBe(seconds)
})

it('an answer that does not say it asks for no time', () => {
  expect(retryAfterSeconds(new Headers(), clock)).toBeUndefined()
})
