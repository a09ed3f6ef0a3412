import { afterAll, beforeAll, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { makeLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { removePast } from '../durable/retention.ts'
import { framingErrorsOf } from '../store/framing-errors.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import { channelCounts } from './channel-store.ts'
import { FramingErrors } from './framing-errors.ts'

let own: Awaited<ReturnType<typeof openBridgeDatabase>>
beforeAll(async () => {
  own = await openBridgeDatabase()
})
afterAll(() => own.close())

const peer = { address: '192.0.2.7', port: 40_000, certificateName: undefined }
const head = Buffer.from('PID|1||DOE^JANE')

it('a thousand of them are one line of the log without a byte of theirs, and the last twenty of a channel are kept for their days', async () => {
  const clock = new SimulatedClock()
  const lines: string[] = []
  const log = makeLog({ level: 'debug', clock, sink: { write: (line) => lines.push(line) } })
  const errors = new FramingErrors(['adt', 'oru'], {
    ...{ database: own.database, clock, ids: systemIds, log, metrics: new Metrics() },
  })
  const noteAdt = errors.onEvent('adt')
  for (let length = 1; length <= 1_000; length++) noteAdt({ kind: 'noise', length, head }, peer)
  errors.onEvent('oru')({ kind: 'cut', length: 7, head }, peer)
  await errors.flush()
  await errors.flush()

  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: 'bridge.no-message', channel: 'adt', count: 1_000, state: 'noise', host: '192.0.2.7', bytes: 1_000 },
    { event: 'bridge.no-message', channel: 'oru', count: 1, state: 'cut' },
  ])
  expect(lines.join('')).not.toContain('DOE')

  await clock.advance(1)
  noteAdt({ kind: 'oversize', length: 9_999, head }, peer)
  await errors.flush()
  const kept = await framingErrorsOf('adt', own.database)
  expect(kept).toHaveLength(20)
  expect(kept[0]).toMatchObject({ kind: 'oversize', peer: '192.0.2.7', length: 9_999, head })
  expect(Math.min(...kept.map(({ length }) => length))).toBeGreaterThan(980)
  expect(await framingErrorsOf('oru', own.database)).toHaveLength(1)

  await clock.advance(31 * 86_400_000)
  const rule = { rawDays: 30, metaDays: 365, errorDays: 730, windowMs: 86_400_000 }
  expect(await removePast(rule, clock.now(), own.database)).toBe(21)
})

it.each(['bridge.channel_counts', 'insert into bridge.framing_errors', 'delete from bridge.framing_errors'])(
  'those that came while the database was away (%s) are counted and kept when it is back, and told once',
  async (statement) => {
    const clock = new SimulatedClock()
    const captured = capturedLog(clock)
    let isAway = true
    const database: Database = {
      ...own.database,
      run: (asked: Statement) =>
        isAway && asked.text.includes(statement)
          ? Promise.reject(unavailable('The database is away.'))
          : own.database.run(asked),
    }
    const before = (await channelCounts(own.database)).get('mdm')?.[0]?.value ?? 0
    const errors = new FramingErrors(['mdm'], {
      ...{ database, clock, ids: systemIds, log: captured.log, metrics: new Metrics() },
    })
    const note = errors.onEvent('mdm')
    note({ kind: 'noise', length: 1, head }, peer)
    await expect(errors.flush()).rejects.toThrow('away')
    note({ kind: 'cut', length: 2, head }, peer)
    await expect(errors.flush()).rejects.toThrow('away')
    isAway = false
    await errors.flush()
    expect((await channelCounts(own.database)).get('mdm')?.[0]?.value).toBe(before + 2)
    const kept = await framingErrorsOf('mdm', own.database)
    expect(new Set(kept.map(({ length }) => length))).toEqual(new Set([1, 2]))
    expect(captured.events('bridge.no-message')).toMatchObject([{ count: 1 }, { count: 1 }])
    await own.database.run(sql`delete from bridge.framing_errors where channel_id = 'mdm'`)
  },
)
