import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { clockBehind } from './clock-behind.ts'

const build = { time: '2026-03-04T05:06:07.000Z' }

it.each([
  ['1970-01-01T00:00:00Z', build, 1],
  ['2026-03-03T05:06:06Z', build, 1],
  ['2026-03-03T06:00:00Z', build, 0],
  ['2031-01-01T00:00:00Z', build, 0],
  ['1970-01-01T00:00:00Z', undefined, 0],
])('at %s, with a build of %j, there are %i cautions', (at, built, count) => {
  expect(clockBehind(new SimulatedClock(at), built)).toHaveLength(count)
})
