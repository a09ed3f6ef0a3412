import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
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
import { isLongRun } from '../../packages/testkit/long-run.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { storedNumbers } from './places/corridor-place.ts'
import { proxiedCorridor, type ProxiedCorridor } from './places/proxied-corridor.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { newName } from './crowd/numbered-messages.ts'
import { numbered, Senders } from './crowd/senders.ts'

const troubleMs = isLongRun ? 60_000 : 1_000

const ways: readonly (readonly [string, FaultMode])[] = [
  ['refuses connections', refuse],
  ['answers 503', status(503)],
  ['never answers', hang],
  ['is half-open', halfOpen],
  ['answers late', slow({ delayMs: 1_500 })],
  ['writes and is not heard', loseResponse],
]

describe('a store that is in trouble while messages come', () => {
  let place: ProxiedCorridor
  let senders: Senders

  beforeAll(async () => {
    place = await proxiedCorridor('fhir', {
      ...{ 'outbound.deadlineMs': '1000', 'bridge.answerWithinMs': '5000' },
      ...{ 'bridge.breaker.openMs': '100', 'bridge.breaker.openMsMax': '500' },
      // What is parked is acknowledged at once: without a pace its senders would pile up hundreds behind it.
      'bridge.channels.adt.messagesPerMinute': '900',
      'bridge.channels.adt.retry.maxAttempts': '100',
      ...{ 'bridge.channels.adt.retry.baseMs': '100', 'bridge.channels.adt.retry.maxMs': '1000' },
    })
    const { port } = place.corridor.configuration.bridge.channels.adt
    senders = new Senders(numbered('K', 4), () => ({ port: () => port, messageOf: newName }))
    senders.start()
  }, 60_000)
  afterAll(async () => {
    await senders?.stop()
    await place?.[Symbol.asyncDispose]()
  })

  const acknowledged = () => senders.each.map((sender) => sender.acknowledged)

  it.each(ways)(
    'that %s: messages go on when it is well again',
    async (_, mode) => {
      await place.proxy.set(mode)
      await systemClock.sleep(troubleMs)
      await place.proxy.set(pass)
      const before = acknowledged()
      const haveGoneOn = () => acknowledged().every((count, index) => count > (before[index] ?? 0))
      await expect.poll(haveGoneOn, { timeout: 60_000 }).toBe(true)
    },
    200_000,
  )

  it('has lost nothing, applied nothing twice and kept the order of each patient', async ({ task }) => {
    await senders.stop()
    const { database } = place
    const open = async () =>
      (await database.one<{ count: number }>(sql`select count(*)::int as count from bridge.open_work`)).count
    const [parked, beganMs] = [await open(), systemClock.monotonicMs()]
    // What was parked in six minutes of trouble is done patient by patient, one message after the other.
    const deadlineMs = isLongRun ? 600_000 : 60_000
    await waitFor(async () => (await open()) === 0, { what: 'nothing left to do', deadlineMs, everyMs: 100 })
    const seconds = ((systemClock.monotonicMs() - beganMs) / 1_000).toFixed(1)
    const { faults, figures } = await storedNumbers(senders, database)
    tellFigures(task, { ...figures, seen: `${parked} messages that a store in trouble left were done in ${seconds} s` })
    expect(faults).toEqual([])
  }, 700_000)
})
