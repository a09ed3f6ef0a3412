import { afterAll, beforeAll, expect, it } from 'vitest'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../packages/faults/fault.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { migrate } from '../../packages/sql/migrate/migrate.ts'
import { sql } from '../../packages/sql/sql.ts'
import { capturedLog } from '../../packages/testkit/captured-log.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { keepUp } from './background.ts'
import { openCardIssuers } from './certificate/card-issuers.ts'
import { openCertificateKeys } from './certificate/keys.ts'

const stack = new AsyncDisposableStack()
let database: Database
beforeAll(async () => {
  const { url } = stack.use(await testDatabase())
  await migrate(url, [{ owner: 'immunization', folder: new URL('migrations/', import.meta.url) }])
  database = stack.adopt(await openDatabase({ url, log: silentLog }), (open) => open.close())
})
afterAll(() => stack.disposeAsync())

it('clears away what has expired although the keys cannot be taken up, and says why they cannot', async () => {
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  const captured = capturedLog(clock)
  const given = { database, clock, log: captured.log }
  const certificateKeys = await openCertificateKeys({ ...given, issuerCode: 'tested' })
  certificateKeys.reload = () => Promise.reject(unavailable('Away.', { logged: 'no connection' }))
  // More than one step removes.
  await database.run(sql`
    insert into immunization.launches (state_hash, browser_hash, issuer, sealed_verifier, nonce, expires_at)
    select 'state ' || n, 'b', 'i', 'v', 'n', ${clock.now()}::timestamptz
    from generate_series(1, 2100) n`)
  const cardIssuers = await openCardIssuers({ ...given, url: 'https://immunization.example.org' })
  const upkeep = keepUp({ ...given, certificateKeys, cardIssuers })
  const left = async () =>
    (await database.one<{ count: number }>(sql`select count(*)::integer as count from immunization.launches`)).count
  await clock.advance(599_000)
  expect(await left()).toBe(2_100)
  await clock.advance(1_000)
  await waitFor(async () => (await left()) === 0, { what: 'the expired rows to go' })
  expect(captured.events('certificate keys not kept up')[0]).toMatchObject({ error: 'no connection' })
  expect(captured.events('expired rows could not be removed')).toEqual([])
  await upkeep.end()
})
