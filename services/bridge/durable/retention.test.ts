import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { loinc, type CodeNeed } from '../mapping/terms.ts'
import { unmappedCodesPart, usesOf } from '../store/unmapped-codes.ts'
import { failed, flowWorld, parked, sample, succeeded } from '../testing/flow-world.ts'
import { removePast, removePastNowAndThen } from './retention.ts'

const rule = { rawDays: 30, metaDays: 365, errorDays: 730, windowMs: 86_400_000 }

it('bytes go after their days, the log after its own, failed and parked messages later or never', async () => {
  const clock = new SimulatedClock()
  await using world = await flowWorld({
    clock,
    deps: { allowance: () => 0 },
    runStages: async ({ message }) => {
      const id = message.getText('MSH-10')
      return id === 'failed' ? failed('AE') : id === 'parked' ? parked() : succeeded()
    },
  })
  const { database } = world
  for (const controlId of ['done', 'failed', 'parked']) await world.code(sample({ controlId, patient: controlId }))
  const left = async (days: number) => {
    clock.jump(days * 86_400_000)
    await removePast(rule, clock.now(), database)
    const rows = await database.many<{ id: string; raw: boolean }>(sql`
      select t.control_id as id, m.raw is not null as raw
      from bridge.transactions t left join bridge.raw_messages m on m.transaction_id = t.id order by t.control_id`)
    return rows.map(({ id, raw }) => `${id}${raw ? ' with bytes' : ''}`)
  }
  expect(await left(29)).toEqual(['done with bytes', 'failed with bytes', 'parked with bytes'])
  expect(await left(3)).toEqual(['done', 'failed with bytes', 'parked with bytes'])
  expect(await database.many(sql`select 1 from bridge.seen`)).toEqual([])
  expect(await left(335)).toEqual(['failed with bytes', 'parked with bytes'])
  expect(await left(366)).toEqual(['parked with bytes'])
})

it('a message that comes again within the window finds what the first was answered, however little is kept', async () => {
  const clock = new SimulatedClock('2026-03-04T23:59:59Z')
  await using world = await flowWorld({ clock })
  const least = { rawDays: 1, metaDays: 1, errorDays: 1, windowMs: 86_400_000 }
  expect(await world.code(sample({ controlId: 'A1' }))).toBe('AA')
  clock.jump(86_400_000 - 1_000)
  await removePast(least, clock.now(), world.database)
  expect(await world.code(sample({ controlId: 'A1' }))).toBe('AA Duplicate message')
})

it('a message is no use of an unmapped code any longer when it has no bytes to be run again from', async () => {
  const clock = new SimulatedClock()
  const code: CodeNeed = { target: loinc, system: 'urn:local', code: 'GLU', path: 'OBX-3' }
  const runStages = async () => succeeded({ unmapped: [code] })
  await using world = await flowWorld({ clock, runStages, deps: { parts: [unmappedCodesPart(systemIds)] } })
  const { database } = world
  const uses = async () => (await database.many(sql`select 1 from bridge.unmapped_uses`)).length
  const usedBy = async (limit: number) => {
    const ids = await usesOf(code, { limit }, database)
    const rows = await database.many<{ id: string }>(
      sql`select t.control_id as id from bridge.transactions t where t.id = any(${ids}::text[]) order by t.id`,
    )
    return rows.map(({ id }) => id)
  }
  for (const controlId of ['old', 'refused']) await world.code(sample({ controlId, patient: controlId }))
  await database.run(sql`update bridge.transactions set status = 'ERROR' where control_id = 'refused'`)
  clock.jump(31 * 86_400_000)
  await world.code(sample({ controlId: 'new', patient: 'new' }))
  // Not swept yet, and the oldest is asked for first.
  await database.run(sql`delete from bridge.raw_messages where control_id = 'old'`)
  expect([await uses(), await usedBy(1)]).toEqual([3, ['refused']])
  await removePast(rule, clock.now(), database)
  expect([await uses(), await usedBy(3)]).toEqual([2, ['refused', 'new']])
})

describe('codes that have no counterpart', () => {
  const past = new Date('2025-01-01T00:00:00Z')
  const clock = new SimulatedClock('2026-03-04T10:00:00Z')

  it('are forgotten when nobody sends them any more, unless somebody has mapped them or is about to', async () => {
    await using own = await flowWorld({ clock })
    const { database } = own
    const add = (code: string, { seen = past, mapped = false, claimed = past, use = '' } = {}) =>
      database.run(sql`
        with added as (
          insert into bridge.unmapped_codes (id, sending_application, sending_facility, target, system, code, path, uses,
            first_seen_at, last_seen_at, mapped_at, claimed_until)
          values (gen_random_uuid(), 'HIS', 'CENTRAL', ${loinc}, 'urn:local', ${code}, 'OBX-3', 1, ${past}, ${seen},
            ${mapped ? past : null}, ${claimed}) returning id)
        insert into bridge.unmapped_uses select id, ${use} from added where ${use} <> ''`)
    await add('past')
    await add('seen', { seen: clock.now() })
    await add('mapped', { mapped: true })
    await add('claimed', { claimed: new Date(clock.now().getTime() + 1) })
    await add('used', { use: '20260303-100000000-HIS-1' })
    await add('used long ago', { use: '20250101-100000000-HIS-1' })
    await removePast(rule, clock.now(), database)
    const left = await database.many(sql`select code from bridge.unmapped_codes order by code`)
    expect(left).toEqual(['claimed', 'mapped', 'seen', 'used'].map((code) => ({ code })))
  })

  it('lose their uses in steps, however many codes and uses there are', async () => {
    await using own = await flowWorld({ clock })
    const { database } = own
    await database.run(sql`
      with codes as (
        insert into bridge.unmapped_codes (id, sending_application, sending_facility, target, system, code, path, uses,
          first_seen_at, last_seen_at)
        select gen_random_uuid(), 'HIS', 'CENTRAL', ${loinc}, 'urn:local', n, 'OBX-3', 1, ${past}, ${clock.now()}
        from generate_series(1, 1200) n returning id, code::int as n)
      insert into bridge.unmapped_uses select id, '20250101-100000000-HIS-' || use
      from codes, generate_series(1, case when n <= 2 then 1500 else 1 end) use`)
    expect(await removePast(rule, clock.now(), database)).toBe(2 * 1_500 + 1_198)
  })
})

describe('a round', () => {
  const clock = new SimulatedClock('2026-03-04T10:00:00Z')

  it('looks once at what stays, and at no more than a thousand messages at a time', async () => {
    await using own = await flowWorld({ clock })
    const { database } = own
    await fillLog(database)
    const steps: string[] = []
    const noted: Database = {
      ...database,
      run: async (statement) => {
        const changed = await database.run(statement)
        const [, table = ''] = /delete from bridge\.(\w+)/.exec(statement.text) ?? []
        steps.push(`${table} ${changed}`)
        return changed
      },
    }
    await removePast(rule, clock.now(), noted)
    // Of a thousand that went it is asked again whether there are more.
    for (const table of ['raw_messages', 'transactions']) {
      const expected = [0, 0, 1_000, 0, 500].map((count) => `${table} ${count}`)
      expect(steps.filter((step) => step.startsWith(table))).toEqual(expected)
    }
    await expect(removePast(rule, clock.now(), database)).resolves.toBe(0)
  })

  it('goes on when something cannot be removed, and says so at its end', async () => {
    await using own = await flowWorld({ clock })
    const { database } = own
    await fillLog(database)
    await database.run(sql`
      create function bridge.refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`)
    await database.run(sql`
      create trigger refuse before delete on bridge.raw_messages for each row execute function bridge.refuse()`)
    await expect(removePast(rule, clock.now(), database)).rejects.toMatchObject({
      logged: expect.stringContaining('not this one'),
    })
    const { count } = await database.one<{ count: number }>(sql`select count(*)::int from bridge.transactions`)
    expect(count).toBe(2_500)
  })

  it('that was complete is told, and one that was not is not', async () => {
    const times = new SimulatedClock('2026-03-04T10:00:00Z')
    const { log, lines } = capturedLog(times)
    await using own = await flowWorld()
    let isAway = false
    const database: Database = {
      ...own.database,
      run: (statement) => (isAway ? Promise.reject(unavailable('It is away.')) : own.database.run(statement)),
    }
    const metrics = new Metrics()
    const recurring = removePastNowAndThen(rule, { database, clock: times, log, metrics })
    const told = async () => /^corridor_bridge_retention_timestamp_seconds (.*)$/m.exec(await metrics.text())?.[1]
    const seconds = () => String(times.now().getTime() / 1_000)
    expect(await told()).toBe(seconds())
    await times.advance(600_000)
    await expect.poll(told).toBe(seconds())
    const complete = seconds()
    isAway = true
    await times.advance(600_000)
    await expect.poll(() => lines.join('')).toContain('bridge.retention-failed')
    expect(await told()).toBe(complete)
    await recurring.end()
  })

  it('of a copy whose clock runs ahead removes nothing before its time', async () => {
    await using own = await flowWorld()
    const { database } = own
    await database.run(sql`
      insert into bridge.framing_errors (id, channel_id, at, kind, peer, length, head)
      select gen_random_uuid(), 'adt', now() - n * interval '40 days', 'noise', '', n, '' from generate_series(0, 1) n`)
    const { now } = await database.one<{ now: Date }>(sql`select clock_timestamp() as now`)
    const ahead = new SimulatedClock(new Date(now.getTime() + 1_000 * 86_400_000))
    const { log } = capturedLog(ahead)
    const recurring = removePastNowAndThen(rule, { database, clock: ahead, log, metrics: new Metrics() })
    const left = async () => (await database.many(sql`select 1 from bridge.framing_errors`)).length
    await ahead.advance(600_000)
    await expect.poll(left).not.toBe(2)
    await recurring.end()
    expect(await left()).toBe(1)
  })

  /** Of a year before last: failed messages, then as many as a step and a half that went through, then one that failed. */
  const fillLog = async (database: Database) => {
    const id = sql`'20250101-100000000-HIS-' || lpad(n::text, 6, '0')`
    await database.run(sql`
      insert into bridge.transactions (id, channel_id, status, message_type, control_id, sending_application,
        sending_facility, patient_keys, resources, warnings, stage, stage_ms, attempts, is_stale, content_mismatch, peer,
        bytes, received_at)
      select ${id}, 'adt', case when n > 2000 and n <= 3500 then 'SUCCESS' else 'ERROR' end, 'ADT^A08', n, 'HIS', 'CENTRAL',
        '{}', '[]', '{}', 'PERSIST', '{}', 1, false, false, '', 1, '2025-01-01' from generate_series(1, 4000) n`)
    await database.run(sql`
      insert into bridge.raw_messages (transaction_id, channel_id, message_type, control_id, sending_application,
        sending_facility, patient_keys, peer, received_at, raw)
      select id, channel_id, message_type, control_id, sending_application, sending_facility, patient_keys, peer,
        received_at, 'MSH' from bridge.transactions`)
  }
})
