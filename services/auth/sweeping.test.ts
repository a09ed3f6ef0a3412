import { expect, it } from 'vitest'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { testCorridorDatabase } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { keepSweeping } from './sweeping.ts'

it('a copy whose clock runs ahead forgets no revocation and no use of an assertion before its time', async () => {
  await using own = new AsyncDisposableStack()
  const { url } = own.use(await testCorridorDatabase())
  const database = own.adopt(await openDatabase({ url, poolMax: 2, log: silentLog }), (open) => open.close())
  for (const [id, ends] of [
    ['past', '-1 minute'],
    ['alive', '1 hour'],
  ]) {
    await database.run(sql`
      insert into auth.revocations (kind, id, revoked_at, expires_at)
      values ('grant', ${id}, now() - interval '1 hour', now() + ${ends}::interval)`)
    await database.run(sql`
      insert into auth.client_assertions (client_id, jti_hash, expires_at) values ('app', ${id}, now() + ${ends}::interval)`)
  }
  const { now } = await database.one<{ now: Date }>(sql`select clock_timestamp() as now`)
  const clock = new SimulatedClock(new Date(now.getTime() + 365 * 86_400_000))
  const sweeping = keepSweeping({ database, clock, log: silentLog })
  const left = async () => {
    const rows = await database.many<{ what: string }>(sql`
      select 'assertion ' || jti_hash as what from auth.client_assertions
      union all select 'revocation ' || id from auth.revocations order by what`)
    return rows.map(({ what }) => what)
  }
  await clock.advance(600_000)
  await waitFor(async () => !(await left()).includes('assertion past'), { what: 'what is past its time to go' })
  await sweeping.end()
  expect(await left()).toEqual(['assertion alive', 'revocation alive'])
})
