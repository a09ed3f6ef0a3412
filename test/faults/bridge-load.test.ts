import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../packages/sql/sql.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { bridgePlace, type BridgePlace } from './bridge-place.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'
import { sum } from './message-fates.ts'

const isLong = process.env['CORRIDOR_TEST_LONG'] === 'true'

const sendersOf = (place: BridgePlace, count: number, port: (number: number) => number = () => place.port) =>
  new Map(
    Array.from({ length: count }, (_, number) => {
      const patient = `P${number}`
      return [patient, new InsistentSender({ port: () => port(number), patient })] as const
    }),
  )

const stopAll = (senders: ReadonlyMap<string, InsistentSender>) =>
  Promise.all([...senders.values()].map((sender) => sender.stop()))

describe('a bridge under load', () => {
  let place: BridgePlace

  beforeAll(async () => {
    place = await bridgePlace()
    await place.started()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  it.each([
    [1, isLong ? 20_000 : 500],
    [32, isLong ? 20_000 : 2_000],
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
        const answers = await sender.sendMany(texts, { deadlineMs: 600_000 })
        expect(answers.map(({ ackCode, controlId }) => `${ackCode} ${controlId}`)).toEqual(ids.map((id) => `AA ${id}`))
        expect(sender.unasked).toEqual([])
      }
      await Promise.all(Array.from({ length: connections }, (_, connection) => send(connection)))
    },
    600_000,
  )

  it('works once on a message that a thousand copies of come on fifty connections', async ({ task }) => {
    const storms = isLong ? 100 : 1
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
    const rounds = isLong ? 20 : 3
    const senders = sendersOf(place, 8)
    for (const sender of senders.values()) sender.start()
    for (let round = 0; round < rounds; round++) {
      const wanted = sum(senders) + 40
      await waitFor(() => sum(senders) >= wanted, { what: 'answers', deadlineMs: 30_000 })
      await place.database.many(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    }
    await stopAll(senders)
    await place.untilDone()
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { kills: rounds, ...figures })
    expect(faults).toEqual([])
  }, 300_000)
})

describe('a bridge that is told to stop under load', () => {
  it('answers what it is at, ends by itself and leaves nothing that it acknowledged undone', async ({ task }) => {
    await using place = await bridgePlace()
    const senders = sendersOf(place, 16)
    for (const sender of senders.values()) sender.start()
    const stops = isLong ? 50 : 3
    for (let round = 0; round < stops; round++) {
      await using bridge = await place.started()
      const wanted = sum(senders) + 50
      await waitFor(() => sum(senders) >= wanted, { what: 'answers', deadlineMs: 30_000 })
      expect(await bridge.kill('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(await place.database.many(sql`select 1 from bridge.copies`)).toEqual([])
    }
    await place.started()
    await stopAll(senders)
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
    const senders = sendersOf(place, 16, () => ports[turn++ % 2] ?? place.port)
    let [first, second] = [await place.started(ports[0]), await place.started(ports[1])]
    for (const sender of senders.values()) sender.start()
    const rounds = isLong ? 20 : 2
    for (let round = 0; round < rounds; round++) {
      const wanted = sum(senders) + 60
      await waitFor(() => sum(senders) >= wanted, { what: 'answers', deadlineMs: 60_000 })
      await (round % 2 === 0 ? first : second).kill()
      const again = await place.started(ports[round % 2])
      if (round % 2 === 0) first = again
      else second = again
    }
    await stopAll(senders)
    await place.untilDone()
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { kills: rounds, ...figures })
    expect(faults).toEqual([])
  }, 300_000)
})
