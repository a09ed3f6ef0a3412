import { expect, it } from 'vitest'
import { sql } from '../../packages/sql/sql.ts'
import { queueState } from './durable/claims.ts'
import { listenersHealth, retryQueueHealth } from './health.ts'
import type { ChannelStatus } from './listeners/channel-control.ts'
import { flowWorld, parked, sample } from './testing/flow-world.ts'

const { signal } = new AbortController()

it('a retry queue that is longer than the operator allows is DOWN, and says how long it is', async () => {
  await using world = await flowWorld({ runStages: async () => parked(), deps: { allowance: () => 0 } })
  for (const patient of ['1', '2']) await world.send(sample({ controlId: patient, patient }))
  const told = (threshold: number) => retryQueueHealth(threshold, world.database)(signal)
  expect(await told(2)).toEqual({ status: 'UP', details: { depth: 2, threshold: 2 } })
  expect(await told(1)).toEqual({ status: 'DOWN', details: { depth: 2, threshold: 1 } })
})

it('a message of the retry queue that is being tried waits no longer, whoever counts', async () => {
  await using world = await flowWorld({ runStages: async () => parked(), deps: { allowance: () => 0 } })
  const { database } = world
  for (const patient of ['1', '2']) await world.send(sample({ controlId: patient, patient }))
  // What a copy has that nobody knows is taken from it again: it is this one's.
  await database.run(sql`
    update bridge.open_work set copy = (select id from bridge.copies)
    where transaction_id = (select min(transaction_id) from bridge.open_work)`)
  expect(await retryQueueHealth(2, database)(signal)).toMatchObject({ details: { depth: 1 } })
  expect(await queueState(database)).toMatchObject({ depth: 1 })
})

it.each<[ChannelStatus, 'UP' | 'DOWN']>([
  ['RUNNING', 'UP'],
  ['PAUSED', 'UP'],
  ['STOPPED', 'UP'],
  ['STARTING', 'UP'],
  ['ERROR', 'DOWN'],
])('with a channel that is %s the listeners are %s', async (state, status) => {
  const states = () => new Map([['adt', 'RUNNING'] as const, ['oru', state] as const])
  expect(await listenersHealth({ states })(signal)).toEqual({ status, details: { adt: 'RUNNING', oru: state } })
})
