import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import type { Subscription } from '../../../ports/fhir-store/resources.ts'
import { dispatchWorld, storeWorld, type StoreWorld } from '../outbound/testing/dispatch-world.ts'
import { seedSubscriptions } from './seed-subscriptions.ts'
import { seededSubscriptions } from './seeded-subscriptions.ts'

let store: StoreWorld
beforeAll(async () => {
  store = await storeWorld()
})
afterAll(() => store[Symbol.asyncDispose]())

it('what an administrator has changed or removed stays so when the bridge starts again', async () => {
  await using world = await dispatchWorld(store)
  await world.dispatch.drain()
  const { fhirStore, fhirBase } = store
  const first = await fhirStore.read<Subscription>('Subscription', 'sub-01-patient-upsert')
  if (first === undefined) throw new Error('it was not seeded')
  await fhirStore.update({ ...first, id: 'sub-01-patient-upsert', status: 'off' })
  await fhirStore.remove('Subscription', 'sub-02-patient-merge')
  const deps = { fhirStore, database: world.database, clock: systemClock }
  await seedSubscriptions({ fhirBase, hasSink: true }, deps)
  const left = await fhirStore.search<Subscription>('Subscription', { _count: '100' })
  expect(left).toHaveLength(seededSubscriptions.length - 1)
  expect(left.find(({ id }) => id === 'sub-01-patient-upsert')?.status).toBe('off')
})
