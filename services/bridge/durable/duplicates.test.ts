import { describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { flowWorld, sample } from '../testing/flow-world.ts'

describe('a message', () => {
  it('is journaled, worked on, settled and answered', async () => {
    await using world = await flowWorld()
    expect(await world.code(sample({ controlId: 'A1' }))).toBe('AA')
    const rows = await world.database.many(sql`select status, ack_code, control_id from bridge.transactions`)
    expect(rows).toEqual([{ status: 'SUCCESS', ack_code: 'AA', control_id: 'A1' }])
    expect(await world.code(sample({ controlId: 'A1' }))).toBe('AA Duplicate message')
  })
})
