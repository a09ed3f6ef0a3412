import { afterAll, beforeAll, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { migrate } from '../../../packages/sql/migrate/migrate.ts'
import { testDatabase } from '../../../packages/testkit/test-database.ts'
import { openCardIssuers } from './card-issuers.ts'

const stack = new AsyncDisposableStack()
let database: Database
beforeAll(async () => {
  const { url } = stack.use(await testDatabase())
  await migrate(url, [{ owner: 'immunization', folder: new URL('../migrations/', import.meta.url) }])
  database = stack.adopt(await openDatabase({ url, log: silentLog }), (open) => open.close())
})
afterAll(() => stack.disposeAsync())

it('an address that the app had before stays one of ours, and a copy that still has it learns the new one', async () => {
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  const startedAt = (url: string) => openCardIssuers({ url, database, clock })
  const old = await startedAt('https://vaccines.example.org/')
  await startedAt('https://vaccines.example.org')
  expect(old.all()).toEqual(['https://vaccines.example.org'])
  await clock.advance(1_000)
  const both = ['https://vaccines.example.org', 'https://immunization.example.org']
  expect((await startedAt('https://immunization.example.org')).all()).toEqual(both)
  await old.reload()
  expect(old.all()).toEqual(both)
})
