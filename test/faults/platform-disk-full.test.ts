import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { variableOf } from '../../packages/config/schema.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { ownPlace, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { giveRoom, takeRoom } from './troubles/no-room.ts'
import { killAll, postgresProcesses } from './troubles/kill-postgres.ts'
import { platformWrites, readinessOf } from './crowd/platform-calls.ts'
import { Writer } from './crowd/writer.ts'
import { smallDisk, type SmallDisk } from './troubles/small-disk.ts'

const cycles = casesOf({ daily: 2, long: 20 })

async function send(port: number, message: string): Promise<string> {
  await using sender = await openHl7Sender({ host: '127.0.0.1', port })
  return (await sender.send(message, { deadlineMs: 40_000 })).ackCode
}

describe('a database that has no room', () => {
  const tables = ['auth.audit_events', 'fhir.versions', 'consent.records', 'referral.referrals', 'bridge.raw_messages']
  let corridor: TestCorridor
  let operator: Client

  beforeAll(async () => {
    corridor = await testCorridor()
    operator = new Client({ connectionString: corridor.databaseUrl })
    await operator.connect()
    await takeRoom(operator, tables)
  }, 60_000)

  afterAll(async () => {
    await operator?.end()
    await corridor?.[Symbol.asyncDispose]()
  })

  it.each(platformWrites)('refuses $what of $service as a thing of the moment', async ({ send: ask }) => {
    const answer = await ask(corridor)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.text()).not.toMatch(/No space|extend file|53100/)
  })

  it('makes every service not ready, and the log says why', async () => {
    const areUnready = async () => {
      await send(corridor.configuration.bridge.channels.adt.port, sample({ controlId: 'F-0', patient: 'full' }))
      const answers = await Promise.all(serviceNames.map((name) => readinessOf(corridor, name)))
      return answers.every((status) => status === 503)
    }
    await waitFor(areUnready, { what: 'every service to say that it is not ready', deadlineMs: 20_000 })
    const reasons = ['not ready', 'mllp.handler-failed'].map((name) => corridor.log.events(name)[0]?.error)
    for (const reason of reasons) expect(reason).toMatch(/No space left on device \(SQLSTATE 53100\)/)
  })

  it('answers AE to a sender, and takes everything again when there is room', async () => {
    const { port } = corridor.configuration.bridge.channels.adt
    const message = sample({ controlId: 'F-1', patient: 'full' })
    expect(await send(port, message)).toBe('AE')
    await giveRoom(operator, tables)
    await waitFor(async () => (await send(port, message)) === 'AA', { what: 'an AA', deadlineMs: 20_000 })
    const isReady = async () => (await readinessOf(corridor, 'bridge')) === 200
    await waitFor(isReady, { what: 'the bridge to be ready', deadlineMs: 20_000 })
    for (const { what, send: ask } of platformWrites) {
      expect([what, (await ask(corridor)).status < 400]).toEqual([what, true])
    }
  })
})

describe(`a disk that is full, ${cycles} times`, () => {
  const acknowledged: string[] = []
  let disk: SmallDisk
  let place: OwnPlace
  let corridor: Child

  beforeAll(async () => {
    disk = await smallDisk(420)
    place = await ownPlace({ dataDir: disk.dataDir })
    corridor = await startCommand(['start', '--demo'], place)
    await corridor.waitForLine(/Corridor is ready/, { deadlineMs: 120_000 })
  }, 150_000)

  afterAll(async () => {
    await corridor?.kill('SIGTERM')
    killAll(await postgresProcesses(disk.dataDir))
    await place?.[Symbol.asyncDispose]()
    await disk?.[Symbol.asyncDispose]()
  }, 60_000)

  const setting = (path: string) => Number(place.environment[variableOf(path)])
  const url = (service: string) => `http://127.0.0.1:${setting(`${service}.port`)}`

  /** Large, and of nothing that can be packed: it needs room at once. */
  async function sendLarge(controlId: string): Promise<string> {
    const message = `${sample({ controlId, patient: 'full' })}ZZZ|${randomBytes(96 * 1_024).toString('hex')}\r`
    const code = await send(setting('bridge.mllpPort'), message).catch(() => 'no answer')
    if (code === 'AA') acknowledged.push(controlId)
    return code
  }

  it(
    'is never answered AA, and is used again by itself when there is room',
    async () => {
      for (let cycle = 0; cycle < cycles; cycle++) {
        await disk.fill()
        let number = 0
        // What was set aside before still has some room; then it is over.
        await waitFor(async () => (await sendLarge(`F${cycle}-${number++}`)) !== 'AA', {
          what: 'a refusal',
          deadlineMs: 60_000,
        })
        const isUnready = async () => {
          await sendLarge(`F${cycle}-${number++}`)
          return (await readinessOf({ url }, 'bridge')) === 503
        }
        await waitFor(isUnready, { what: 'the bridge to say that it is not ready', deadlineMs: 60_000 })
        await disk.free()
        await waitFor(async () => (await sendLarge(`F${cycle}-${number++}`)) === 'AA', {
          what: 'an AA after there was room again',
          deadlineMs: 60_000,
        })
        const isReady = async () => (await readinessOf({ url }, 'bridge')) === 200
        await waitFor(isReady, { what: 'the bridge to be ready again', deadlineMs: 60_000 })
      }
      expect(acknowledged.length).toBeGreaterThanOrEqual(cycles)
    },
    cycles * 120_000,
  )

  it('has lost nothing that was acknowledged', async ({ task }) => {
    const writer = await Writer.open({ url })
    const lost: string[] = []
    for (const controlId of acknowledged) {
      const query = new URLSearchParams({ controlId, status: 'SUCCESS' })
      const isDone = async () => {
        const { text } = await writer.send('GET', `${url('bridge')}/api/transactions?${query}`)
        return (JSON.parse(text) as { totalElements: number }).totalElements === 1
      }
      // Some were parked while there was no room, and are done by and by.
      await waitFor(isDone, { what: `${controlId} to be done`, deadlineMs: 60_000 }).catch(() => lost.push(controlId))
    }
    tellFigures(task, {
      kills: cycles,
      seen: `the full disk was ${disk.how}`,
      histories: acknowledged.length,
      lost: lost.length,
    })
    expect(lost).toEqual([])
  })
})
