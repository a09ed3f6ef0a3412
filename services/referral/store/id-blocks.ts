import type { Queryable } from '../../../packages/sql/database.ts'
import { IdBlocks } from '../../../packages/sql/id-blocks.ts'
import { sql } from '../../../packages/sql/sql.ts'

export const idsOf = (name: 'referrals' | 'tasks', database: Queryable): IdBlocks =>
  new IdBlocks(async (size) => {
    const { end } = await database.one<{ end: string }>(sql`
      update referral.id_blocks set next_id = next_id + ${size} where name = ${name} returning next_id as "end"`)
    return Number(end)
  })
