import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../packages/sql/sql.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { casesOf, casesTimeoutMs } from '../../packages/testkit/extent.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { bridgePlace, type BridgePlace } from './places/bridge-place.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { numbered, Senders } from './crowd/senders.ts'

describe('a bridge under load', () => {
  let place: BridgePlace

  beforeAll(async () => {
    place = await bridgePlace({ leaseMs: 30_000 })
    await place.started()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  it.each([
    [1, casesOf({ daily: 500, long: 20_000, night: 45_000 })],
    [32, casesOf({ daily: 2_000, long: 20_000, night: 48_000 })],
  ])(
    'answers every message of %i connections with its own control id',
    async (connections, count) => {
      const send = async (connection: number) => {
        await using sender = await openHl7Sender({ host: '127.0.0.1', port: place.port })
        const ids = Array.from(
          { length: count / connections },
          (_, number) => `C${connections}x${connection}-${number + 1}`,
        )
        const texts = ids.map((controlId) => sample({ controlId, patient: `${connections}x${connection}` }))
        const answers = await sender.sendMany(texts, { deadlineMs: casesTimeoutMs })
        expect(answers.map(({ ackCode, controlId }) => `${ackCode} ${controlId}`)).toEqual(ids.map((id) => `AA ${id}`))
        expect(sender.unasked).toEqual([])
      }
      await Promise.all(Array.from({ length: connections }, (_, connection) => send(connection)))
    },
    casesTimeoutMs,
  )

  it('works once on a message that a thousand copies of come on fifty connections', async ({ task }) => {
    const storms = casesOf({ daily: 1, long: 100 })
    for (let storm = 1; storm <= storms; storm++) {
      expect(await stormOf(`S-${storm}`)).toEqual({ answered: 1_000, done: 1, duplicates: 999 })
    }
    tellFigures(task, { histories: storms * 1_000, lost: 0, twice: 0 })
  }, 600_000)

  /** A thousand times the same message; how often it was answered AA, done, and known. */
  async function stormOf(controlId: string) {
    const text = sample({ controlId, patient: 'storm' })
    const send = async () => {
      await using sender = await openHl7Sender({ host: '127.0.0.1', port: place.port })
      // Awaited here: the connection is closed when this function ends.
      return await sender.sendMany(
        Array.from({ length: 20 }, () => text),
        { deadlineMs: 60_000 },
      )
    }
    const answers = (await Promise.all(Array.from({ length: 50 }, send))).flat()
    const counts = await place.database.one<{ done: number; duplicates: number }>(sql`
      select (count(*) filter (where status = 'SUCCESS'))::int as done,
        (count(*) filter (where status = 'DUPLICATE'))::int as duplicates
      from bridge.transactions where control_id = ${controlId}`)
    return { answered: answers.filter(({ ackCode }) => ackCode === 'AA').length, ...counts }
  }

  it('loses nothing when the database ends all sessions', async ({ task }) => {
    const rounds = casesOf({ daily: 3, long: 20 })
    const senders = new Senders(numbered('P', 8), () => ({ port: () => place.port }))
    senders.start()
    for (let round = 0; round < rounds; round++) {
      await senders.untilMore(40, { deadlineMs: 30_000 })
      await place.database.many(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    }
    await senders.stop()
    await place.untilDone()
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { kills: rounds, ...figures })
    expect(faults).toEqual([])
  }, 300_000)
})

describe('a bridge that is told to stop under load', () => {
  it('answers what it is at, ends by itself and leaves nothing that it acknowledged undone', async ({ task }) => {
    await using place = await bridgePlace()
    const senders = new Senders(numbered('P', 16), () => ({ port: () => place.port }))
    senders.start()
    const stops = casesOf({ daily: 3, long: 50 })
    for (let round = 0; round < stops; round++) {
      await using bridge = await place.started()
      await senders.untilMore(50, { deadlineMs: 30_000 })
      expect(await bridge.kill('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(await place.database.many(sql`select 1 from bridge.copies`)).toEqual([])
    }
    await place.started()
    await senders.stop()
    await place.untilDone()
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { ...figures, seen: `a bridge under load was stopped ${stops} times` })
    expect(faults).toEqual([])
  }, 600_000)
})

describe('two copies of a bridge', () => {
  it('keep everything when one of them is killed, again and again', async ({ task }) => {
    await using place = await bridgePlace()
    const ports = [place.port, await freePort()]
    // Whoever finds one copy gone turns to the other.
    let turn = 0
    const port = () => ports[turn++ % 2] ?? place.port
    const senders = new Senders(numbered('P', 16), () => ({ port }))
    let [first, second] = [await place.started(ports[0]), await place.started(ports[1])]
    senders.start()
    const rounds = casesOf({ daily: 2, long: 20 })
    for (let round = 0; round < rounds; round++) {
      await senders.untilMore(60, { deadlineMs: 60_000 })
      await (round % 2 === 0 ? first : second).kill()
      const again = await place.started(ports[round % 2])
      if (round % 2 === 0) first = again
      else second = again
    }
    await senders.stop()
    await place.untilDone()
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { kills: rounds, ...figures })
    expect(faults).toEqual([])
  }, 300_000)
})
