import { expect, it } from 'vitest'
import { isDurable, isNewEnough } from './server-state.ts'

const durable = { fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on' }

it.each([
  [{}, true],
  [{ synchronousCommit: 'local' }, true],
  [{ synchronousCommit: 'off' }, false],
  [{ fsync: 'off' }, false],
  [{ fullPageWrites: 'off' }, false],
])('with %j a database keeps what it has confirmed: %s', (different, keeps) => {
  expect(isDurable({ ...durable, ...different })).toBe(keeps)
})

it('PostgreSQL 15 is new enough, and 14 is not', () => {
  expect([150_000, 180_004, 140_023].map((number) => isNewEnough({ number }))).toEqual([true, true, false])
})
