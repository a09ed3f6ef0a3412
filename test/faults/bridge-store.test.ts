import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import {
  halfOpen,
  hang,
  loseResponse,
  pass,
  refuse,
  slow,
  status,
  type FaultMode,
} from '../../packages/testkit/fault-modes.ts'
import { startFaultProxy, type FaultProxy } from '../../packages/testkit/fault-proxy.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { storedNumbers } from './corridor-place.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'

const isLong = process.env['CORRIDOR_TEST_LONG'] === 'true'
const troubleMs = isLong ? 60_000 : 1_000

const ways: readonly (readonly [string, FaultMode])[] = [
  ['refuses connections', refuse],
  ['answers 503', status(503)],
  ['never answers', hang],
  ['is half-open', halfOpen],
  ['answers late', slow({ delayMs: 1_500 })],
  ['writes and is not heard', loseResponse],
]

describe('a store that is in trouble while messages come', () => {
  let corridor: TestCorridor
  let proxy: FaultProxy
  let database: Database
  const senders = new Map<string, InsistentSender>()

  beforeAll(async () => {
    const port = await freePort()
    proxy = await startFaultProxy({ port })
    corridor = await testCorridor({
      ...{ services: ['auth', 'fhir', 'consent', 'bridge'], apart: true },
      settings: {
        ...{ 'fhir.port': String(port), 'fhir.url': `${proxy.url}/fhir`, 'outbound.deadlineMs': '1000' },
        ...{ 'bridge.breaker.openMs': '100', 'bridge.breaker.openMsMax': '500', 'bridge.answerWithinMs': '5000' },
        // What is parked is acknowledged at once: without a pace its senders would pile up hundreds behind it.
        'bridge.channels.adt.messagesPerMinute': '900',
        'bridge.channels.adt.retry.maxAttempts': '100',
        ...{ 'bridge.channels.adt.retry.baseMs': '100', 'bridge.channels.adt.retry.maxMs': '1000' },
      },
    })
    database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
    const mllpPort = corridor.configuration.bridge.channels.adt.port
    const messageOf = (patient: string, controlId: string) =>
      `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A08|${controlId}|P|2.5.1\rPID|1||${patient}^^^CENTRAL^MR||DOE^N${controlId}||19800101|F\r`
    for (let number = 0; number < 4; number++) {
      const patient = `K${number}`
      senders.set(patient, new InsistentSender({ port: () => mllpPort, patient, messageOf }))
    }
    for (const sender of senders.values()) sender.start()
  }, 60_000)
  afterAll(async () => {
    await Promise.all([...senders.values()].map((sender) => sender.stop()))
    await database?.close()
    await corridor?.[Symbol.asyncDispose]()
    await proxy?.close()
  })

  const acknowledged = () => [...senders.values()].map((sender) => sender.acknowledged)

  it.each(ways)(
    'that %s: messages go on when it is well again',
    async (_, mode) => {
      await proxy.set(mode)
      await systemClock.sleep(troubleMs)
      await proxy.set(pass)
      const before = acknowledged()
      const haveGoneOn = () => acknowledged().every((count, index) => count > (before[index] ?? 0))
      await expect.poll(haveGoneOn, { timeout: 60_000 }).toBe(true)
    },
    200_000,
  )

  it('has lost nothing, applied nothing twice and kept the order of each patient', async ({ task }) => {
    await Promise.all([...senders.values()].map((sender) => sender.stop()))
    const open = async () =>
      (await database.one<{ count: number }>(sql`select count(*)::int as count from bridge.open_work`)).count
    const [parked, beganMs] = [await open(), systemClock.monotonicMs()]
    // What was parked in six minutes of trouble is done patient by patient, one message after the other.
    const deadlineMs = isLong ? 600_000 : 60_000
    await waitFor(async () => (await open()) === 0, { what: 'nothing left to do', deadlineMs, everyMs: 100 })
    const seconds = ((systemClock.monotonicMs() - beganMs) / 1_000).toFixed(1)
    const { faults, figures } = await storedNumbers(senders, database)
    tellFigures(task, { ...figures, seen: `${parked} messages that a store in trouble left were done in ${seconds} s` })
    expect(faults).toEqual([])
  }, 700_000)
})
