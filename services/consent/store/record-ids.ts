import type { Queryable } from '../../../packages/sql/database.ts'
import { IdBlocks } from '../../../packages/sql/id-blocks.ts'
import { sql } from '../../../packages/sql/sql.ts'

export const recordIds = (database: Queryable): IdBlocks =>
  new IdBlocks(async (size) => {
    const { end } = await database.one<{ end: string }>(sql`
      update consent.id_blocks set next_id = next_id + ${size} where name = 'records' returning next_id as "end"`)
    return Number(end)
  })
