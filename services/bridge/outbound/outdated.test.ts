import { expect, it } from 'vitest'
import type { Delivery } from './delivery.ts'
import { mayBeOutdated } from './outdated.ts'

const createdAt = new Date('2026-03-04T05:00:00Z')
const delivery: Delivery = {
  ...{ id: 'd', subscriptionId: 's', transactionId: 't', patient: null, resource: 'Patient/a', versionId: '1' },
  ...{ channel: 'message', endpoint: 'mllp://lab.example:2575', payload: 'MSH', status: 'waiting', lastError: null },
  ...{ attempts: 0, createdAt, nextAttemptAt: null, settledAt: null, answered: null, resentAt: null, resentBy: null },
}

it.each([
  [299_999, null, false],
  [300_000, null, true],
  [0, createdAt, true],
])('a delivery of %s ms that was sent again at %s may be outdated: %s', (ageMs, resentAt, expected) => {
  expect(mayBeOutdated({ ...delivery, resentAt }, new Date(createdAt.getTime() + ageMs))).toBe(expected)
})
