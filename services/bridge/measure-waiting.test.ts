import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../packages/clock/ids.ts'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import type { Database } from '../../packages/sql/database.ts'
import { Outbox } from '../../packages/sql/tasks/outbox.ts'
import { sql } from '../../packages/sql/sql.ts'
import { auditTopics } from './audit/audit-telling.ts'
import { acknowledgeAlert, raiseAlerts } from './coordination/store/alerts.ts'
import { lookAtWaiting } from './measure-waiting.ts'
import { coordinationTopic } from './coordination/tell-coordination.ts'
import { openBridgeDatabase } from './testing/bridge-database.ts'

describe('what waits after the answer', () => {
  const clock = new SimulatedClock('2026-03-04T10:00:00Z')
  const metrics = new Metrics()
  let database: Database
  let own: Awaited<ReturnType<typeof openBridgeDatabase>>
  let look: () => Promise<void>
  beforeAll(async () => {
    own = await openBridgeDatabase()
    database = own.database
    look = lookAtWaiting({ database, clock, metrics })
  })
  afterAll(() => own.close())

  /** The values of metrics whose names begin so, with their labels. */
  const told = async (...names: readonly string[]) => {
    await look()
    const lines = (await metrics.text()).split('\n')
    const meant = lines.filter((line) => names.some((name) => line.startsWith(name)))
    return Object.fromEntries(meant.map((line) => line.split(' ')))
  }

  it('is told also while there is nothing', async () => {
    const queues = ['esc', 'dec'].map((name) => `corridor_background_dead{queue="bridge.${name}`)
    expect(await told('corridor_bridge_open_alerts', ...queues)).toEqual({
      corridor_bridge_open_alerts: '0',
      corridor_bridge_open_alerts_oldest_seconds: '0',
      'corridor_background_dead{queue="bridge.escalation"}': '0',
      'corridor_background_dead{queue="bridge.decision-support"}': '0',
    })
  })

  it('are critical results that nobody has acknowledged, and how long the oldest of them has', async () => {
    const [older, newer] = [systemIds.uuid(), systemIds.uuid()]
    const common = { patient: 'Patient/1', resource: 'Observation/1', transactionId: 't', escalateAt: null }
    await raiseAlerts([{ ...common, id: older, raisedAt: clock.now() }], database)
    await clock.advance(60_000)
    await raiseAlerts([{ ...common, id: newer, raisedAt: clock.now() }], database)
    await clock.advance(30_000)
    expect(await told('corridor_bridge_open_alerts')).toEqual({
      ...{ corridor_bridge_open_alerts: '2', corridor_bridge_open_alerts_oldest_seconds: '90' },
    })
    await acknowledgeAlert(older, 'dr-amara', clock.now(), database)
    expect(await told('corridor_bridge_open_alerts')).toEqual({
      ...{ corridor_bridge_open_alerts: '1', corridor_bridge_open_alerts_oldest_seconds: '30' },
    })
  })

  it('is what others have not been told, and what was given up', async () => {
    const outbox = new Outbox({ database, clock, log: silentLog })
    const tell = (topic: string) => database.transaction((tx) => outbox.enqueue(tx, { topic, payload: [] }))
    await tell(auditTopics.syslog)
    await clock.advance(60_000)
    await tell(auditTopics.syslog)
    await tell(coordinationTopic)
    await database.run(sql`update kit.outbox set dead_at = ${clock.now()} where queue = ${coordinationTopic}`)
    const of = (name: string, queue: string) => `corridor_background_${name}{queue="${queue}"}`
    const expected = {
      ...{ [of('waiting', auditTopics.syslog)]: '2', [of('oldest_seconds', auditTopics.syslog)]: '60' },
      ...{ [of('dead', auditTopics.syslog)]: '0', [of('dead', coordinationTopic)]: '1' },
      ...{ [of('waiting', coordinationTopic)]: '0', [of('oldest_seconds', coordinationTopic)]: '0' },
    }
    expect(await told(...Object.keys(expected))).toEqual(expected)
  })
})
