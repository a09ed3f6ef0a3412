import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import { letStrandedGo } from './claims.ts'

/** Without a bridge: what is let go stays where it can be seen. */
let opened: Awaited<ReturnType<typeof openBridgeDatabase>>
beforeEach(async () => {
  opened = await openBridgeDatabase()
})
afterEach(() => opened.close())

const isDue = (database: Database) =>
  database.many<{ id: string }>(
    sql`select transaction_id as id from bridge.open_work where due_at = '-infinity' order by 1`,
  )

it('whoever is first in all of its lanes and waits is let go, and nobody else', async () => {
  const { database } = opened
  await database.run(sql`
    insert into bridge.open_work (lane, ticket, transaction_id, channel_id, copy, is_main, due_at, attempt, attempt_limit, runs)
    select md5(lane)::uuid, ticket, id, 'adt', copy, is_main, due_at::timestamptz, 1, 10, 1
    from (values
      ('a', 1, 'first in both', null, false, null), ('b', 1, 'first in both', null, true, 'infinity'),
      ('a', 2, 'second', null, true, 'infinity'),
      ('c', 1, 'at work', 'copy', true, null), ('d', 2, 'first in one', null, true, 'infinity'),
      ('c', 2, 'first in one', null, false, null),
      ('e', 1, 'waits for a time', null, true, '2026-01-01')
    ) as work (lane, ticket, id, copy, is_main, due_at)`)
  expect(await letStrandedGo(database)).toBe(1)
  expect(await isDue(database)).toEqual([{ id: 'first in both' }])
})

it('forty thousand that wait behind two thousand are not looked at for each of these', async () => {
  const { database } = opened
  await database.run(sql`
    insert into bridge.open_work (lane, ticket, transaction_id, channel_id, is_main, due_at, attempt, attempt_limit, runs)
    select md5(lane::text)::uuid, ticket, lane || '-' || ticket, 'adt', true,
      case ticket when 1 then '2026-01-01' else 'infinity' end::timestamptz, 1, 10, 1
    from generate_series(1, 2000) lane, generate_series(1, 20) ticket`)
  expect(await letStrandedGo(database)).toBe(0)
  await database.run(sql`delete from bridge.open_work where ticket = 1`)
  expect(await letStrandedGo(database)).toBe(2_000)
  expect(new Set((await isDue(database)).map(({ id }) => id.split('-')[1]))).toEqual(new Set(['2']))
})
