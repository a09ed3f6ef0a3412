import { describe, expect, it, onTestFinished } from 'vitest'
import { systemIds } from '../../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../../../packages/log/log.ts'
import { Outbox } from '../../../../packages/sql/tasks/outbox.ts'
import { raiseAlerts } from '../../coordination/store/alerts.ts'
import { openBridgeDatabase } from '../../testing/bridge-database.ts'
import { flowFigures, historyMinutes, historyOf } from './flow-figures.ts'
import { byteCount, duration, milliseconds, rate } from '../numbers.ts'

const from = new Date('2026-03-04T10:00:00Z')
const one = { minute: '20260304-1000', channelId: 'adt', status: 'SUCCESS', ackCode: 'AA', messages: 3 } as const

describe('the history of the flow', () => {
  it('has a figure for every minute that is over, also for those without a message', () => {
    const failed = { ...one, minute: '20260304-1002', status: 'ERROR', ackCode: 'AE', messages: 2 } as const
    const history = historyOf(from, [one, failed], [{ minute: '20260304-1002', ms: 8 }])
    expect(history.received).toHaveLength(historyMinutes)
    expect(history.received.slice(0, 4)).toEqual([3, 0, 2, 0])
    expect(history.failed.slice(0, 4)).toEqual([0, 0, 2, 0])
    expect(history.medianMs).toEqual([8])
    expect(history.byChannel.get('adt')?.slice(0, 3)).toEqual([3, 0, 2])
  })

  it('counts the answers of the minute that is not over yet, and does not compare it with others', () => {
    const history = historyOf(from, [{ ...one, minute: '20260304-1030', ackCode: null }], [])
    expect(history.received.every((messages) => messages === 0)).toBe(true)
    expect([...history.ackCodes]).toEqual([['none', 3]])
  })
})

it('counts critical results that nobody has acknowledged once a second, however many look, and what waits in the background', async () => {
  const own = await openBridgeDatabase()
  onTestFinished(() => own.close())
  const { database } = own
  const clock = new SimulatedClock()
  const figures = flowFigures({ database, clock })
  const openAlerts = async () => (await figures.now()).openAlerts
  const raise = (id: string) => {
    const alert = { patient: 'Patient/1', resource: 'Observation/1', transactionId: 't', raisedAt: from }
    return raiseAlerts([{ id, ...alert, escalateAt: null }], database)
  }
  await raise(systemIds.uuid())
  expect(await openAlerts()).toBe(1)
  await raise(systemIds.uuid())
  expect(await Promise.all([openAlerts(), openAlerts()])).toEqual([1, 1])
  await clock.advance(1_000)
  expect(await openAlerts()).toBe(2)
  expect((await figures.now()).background).toEqual([])
  await database.transaction((tx) =>
    new Outbox({ database, clock, log: silentLog }).enqueue(tx, { topic: 'bridge.audit.syslog', payload: [] }),
  )
  await clock.advance(5_000)
  expect((await figures.now()).background).toMatchObject([{ queue: 'bridge.audit.syslog', waiting: 1, dead: 0 }])
})

it.each([
  [milliseconds(0.44), '0.4 ms'],
  [milliseconds(271.4), '271 ms'],
  [milliseconds(1_234), '1.2 s'],
  [milliseconds(61_000), '61 s'],
  [rate(0.25), '0.3'],
  [rate(1_234.5), '1,235'],
  [duration(-5), '0 s'],
  [duration(600_000), '10 min'],
  [duration(7_200_000), '2 h'],
  [duration(400_000_000), '5 days'],
  [byteCount(0), '0 B'],
  [byteCount(1_500_000), '1.5 MB'],
])('writes a number as %s', (written, expected) => {
  expect(written).toBe(expected)
})
