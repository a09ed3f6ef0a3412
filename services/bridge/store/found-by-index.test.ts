import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { RetryFilter } from '../durable/retries.ts'
import { retryTransactions } from '../durable/retry-transactions.ts'
import { flowWorld, type FlowWorld } from '../testing/flow-world.ts'
import { deadLetterGroups } from './dead-letters.ts'
import { addRetryRun, type RunOf } from './retry-runs.ts'
import { claimCode, markMapped, usesOf } from './unmapped-codes.ts'

describe('with a long log', () => {
  let world: FlowWorld
  beforeAll(async () => {
    world = await flowWorld()
    const { database } = world
    await database.run(sql`
      insert into bridge.transactions (id, channel_id, status, message_type, control_id, sending_application,
        sending_facility, facility_code, patient_keys, resources, warnings, stage, stage_ms, error_code, error_message,
        attempts, is_stale, content_mismatch, peer, bytes, received_at)
      select to_char(at, 'YYYYMMDD-HH24MISSMS') || '-HIS-1', 'adt', case when n % 3 = 0 then 'ERROR' else 'SUCCESS' end,
        'ADT^A08', n, 'HIS', 'CENTRAL', nullif('F' || n % 5, 'F0'), '{}', '[]', '{}', 'PERSIST', '{}',
        case when n % 3 = 0 then 'E' || n % 4 end, repeat('x', 300), 1, false, false, '', 1, at
      from generate_series(1, 12000) n, lateral (select timestamp '2026-03-04' + n * interval '1 second' as at) as times`)
    await database.run(sql`
      insert into bridge.unmapped_codes (id, sending_application, sending_facility, target, system, code, path, uses,
        first_seen_at, last_seen_at)
      select gen_random_uuid(), 'HIS', 'CENTRAL', 'urn:target', 'urn:local', n, 'OBX-3', 1, now(), now()
      from generate_series(1, 5000) n`)
    await database.run(sql`
      insert into bridge.unmapped_uses select c.id, t.id from bridge.unmapped_codes c, bridge.transactions t where c.code = '18'`)
    await database.run(sql`vacuum analyze bridge.transactions, bridge.unmapped_codes, bridge.unmapped_uses`)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const code = { target: 'urn:target', system: 'urn:local', code: '17' }
  const [id, at] = ['00000000-0000-4000-8000-000000000001', new Date('2026-03-04T10:00:00Z')]
  const run = { id, startedAt: at, startedBy: 'admin' }
  const retry = (filter: RetryFilter) => (on: Database) => {
    const channelOf: typeof world.channel = (channel) => world.channel(channel)
    const deps = { database: on, clock: systemClock, queue: world.flow.retries, channelOf }
    return retryTransactions(deps).retryBatch(filter, 'admin')
  }
  const inRun = (of: RunOf) => (on: Transaction) => addRetryRun({ ...run, of }, 10, on)
  const ofGroup = /Index Only Scan using transactions_failed .*\n *Index Cond: \(\(error_code = .* AND \(facility_code /

  it.each<[string, (on: Database & Transaction) => Promise<unknown>, RegExp]>([
    ['what failed is counted', (on) => deadLetterGroups(10, on), /Index Only Scan using transactions_failed/],
    ['a batch of one cause is taken', retry({ errorCode: 'E2' }), /Index Only Scan using transactions_failed/],
    ['a run of one cause and facility is taken', inRun({ errorCode: 'E2', facilityCode: 'F3' }), ofGroup],
    ['a run of no facility is taken', inRun({ errorCode: 'E2', facilityCode: null }), ofGroup],
    ['the uses of a code are found', (on) => usesOf(code, { limit: 10 }, on), /using unmapped_codes_by_code/],
    [
      'so many uses of a code that many messages hold are read as are wanted',
      (on) => usesOf({ ...code, code: '18' }, { after: '20260304', limit: 10 }, on),
      /Limit.*\n *->  Index Only Scan using unmapped_uses_pkey .*\n *Index Cond: .* AND \(transaction_id > /,
    ],
    [
      'a code is claimed',
      (on) => claimCode({ id, by: id, replaces: undefined, at, until: at }, on),
      /using unmapped_codes_by_code/,
    ],
    [
      'a code is mapped',
      (on) => markMapped({ claim: id, ...code, display: '', at, by: '' }, on),
      /unmapped_codes_claimed/,
    ],
  ])('%s by an index', async (_, ask, expected) => {
    const plans: string[] = []
    const explained = async <Row>(statement: Statement) => {
      const lines = await world.database.many<Record<string, string>>(sql`explain ${statement}`)
      plans.push(lines.flatMap((line) => Object.values(line)).join('\n'))
      return [] as Row[]
    }
    // Sound: what is asked here reads and writes with these two alone.
    const on = { many: explained, run: async (statement) => (await explained(statement)).length } as Database &
      Transaction
    await ask(on)
    expect(plans.join('\n')).toMatch(expected)
    expect(plans.join('\n')).not.toMatch(/Seq Scan on (transactions|unmapped_codes)/)
  })

  it('a group of what failed has the times of its first and its last message', async () => {
    const told = await deadLetterGroups(100, world.database)
    const counted = await world.database.many(sql`
      select error_code as "errorCode", facility_code as "facilityCode", count(*)::int as count,
        min(received_at) as "firstAt", max(received_at) as "lastAt", max(id) as "lastId"
      from bridge.transactions where status = 'ERROR' group by 1, 2 order by 3 desc, 1, 2`)
    expect(told).toHaveLength(20)
    expect(told).toEqual(counted)
    expect(await deadLetterGroups(3, world.database)).toEqual(counted.slice(0, 3))
  })
})
