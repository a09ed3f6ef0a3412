import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { loinc, type CodeNeed } from '../mapping/terms.ts'
import { unmappedCodesPart, usesOf } from '../store/unmapped-codes.ts'
import { failed, flowWorld, parked, sample, succeeded } from '../testing/flow-world.ts'
import { removePast } from './retention.ts'

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
  const rule = { rawDays: 30, metaDays: 365, errorDays: 730, windowMs: 86_400_000 }
  const left = async (days: number) => {
    clock.jump(days * 86_400_000)
    await removePast(rule, { database, clock })
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

it('a message is no use of an unmapped code any longer when it has no bytes to be run again from', async () => {
  const clock = new SimulatedClock()
  const code: CodeNeed = { target: loinc, system: 'urn:local', code: 'GLU', path: 'OBX-3' }
  const runStages = async () => succeeded({ unmapped: [code] })
  await using world = await flowWorld({ clock, runStages, deps: { parts: [unmappedCodesPart(systemIds)] } })
  const { database } = world
  const rule = { rawDays: 30, metaDays: 365, errorDays: 730, windowMs: 86_400_000 }
  const uses = async () => (await database.many(sql`select 1 from bridge.unmapped_uses`)).length
  const usedBy = async (limit: number) => {
    const ids = await usesOf(code, limit, database)
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
  await removePast(rule, { database, clock })
  expect([await uses(), await usedBy(3)]).toEqual([2, ['refused', 'new']])
})
