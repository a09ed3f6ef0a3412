import { describe, expect, it } from 'vitest'
import { systemIds } from '../../packages/clock/ids.ts'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { acknowledge, parseMessage } from '../../packages/hl7/index.ts'
import { frame } from '../../packages/hl7/mllp/framer.ts'
import { startMllpServer, type MllpServerOptions } from '../../packages/hl7/mllp/server.ts'
import { silentLog } from '../../packages/log/log.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { RawPeer } from '../../packages/testkit/raw-peer.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { tellFigures } from './findings/fault-figures.ts'

const deaf = casesOf({ daily: 10, long: 500 })
const dead = casesOf({ daily: 10, long: 200 })

const framed = (controlId: string) => frame(Buffer.from(sample({ controlId })))

/** A listener under a clock that stands still until it is told, and its peers. */
async function listen(options: Partial<MllpServerOptions>) {
  const clock = new SimulatedClock()
  const deps = { clock, ids: systemIds, log: silentLog }
  const onMessage = async (bytes: Uint8Array) => acknowledge(parseMessage(bytes), { code: 'AA' }, deps).bytes
  const server = await startMllpServer({ port: 0, onMessage, ...options }, deps)
  const owned = new AsyncDisposableStack()
  owned.defer(() => server.close({ graceMs: 0 }))
  return {
    ...{ server, clock },
    peer: async () => owned.use(await RawPeer.open(server.port)),
    peers: async (count: number) => {
      const peers: RawPeer[] = []
      while (peers.length < count) peers.push(owned.use(await RawPeer.open(server.port)))
      return peers
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const all = (peers: readonly RawPeer[], what: string) =>
  waitFor(() => peers.every(({ socket }) => socket.destroyed), { what, deadlineMs: 60_000 })

describe(`${deaf} senders that never read their answers`, () => {
  it('hold one answer each, are closed, and keep nobody else waiting', async ({ task }) => {
    // More than the kernel keeps for a connection. One buffer for all: what it costs is ours to bound, not to show.
    const large = Buffer.alloc(8_000_000, 0x41)
    const small = Buffer.from('answer')
    const asked = new Map<number, number>()
    await using place = await listen({
      ...{ connectionsMax: deaf + 1, writeTimeoutMs: 10_000, idleTimeoutMs: 3_600_000 },
      onMessage: async (bytes, { port }) => {
        if (parseMessage(bytes).getText('MSH-10') === 'hears') return small
        asked.set(port, (asked.get(port) ?? 0) + 1)
        return large
      },
    })
    const { server, clock } = place
    const senders = await place.peers(deaf)
    for (const sender of senders) sender.socket.pause()
    await Promise.all(senders.map((sender) => sender.write(...['1', '2', '3', '4'].map(framed))))
    await waitFor(() => asked.size === deaf, { what: 'a message of each', deadlineMs: 60_000 })
    const other = await place.peer()
    await other.write(framed('hears'))
    expect(await other.answered(1)).toEqual(['answer'])
    expect([...asked.values()].filter((times) => times > 1)).toEqual([])
    await waitFor(
      async () => {
        // In few steps: among five hundred full connections each takes seconds.
        await clock.advance(5_000)
        return server.counters.writeTimeouts === deaf
      },
      { everyMs: 5, what: 'the deadline of each answer', deadlineMs: 60_000 },
    )
    await waitFor(() => server.counters.connectionsOpen === 1, { what: 'their places to be free' })
    await other.write(framed('hears'))
    expect(await other.answered(2)).toEqual(['answer', 'answer'])
    tellFigures(task, { kills: deaf, seen: `${deaf} senders never read: each held one answer and was closed` })
  }, 300_000)
})

describe(`${dead} peers that are gone without a word`, () => {
  it('give their places back at their deadlines, between messages and in the middle of one', async ({ task }) => {
    await using place = await listen({ connectionsMax: dead, idleTimeoutMs: 90_000, frameTimeoutMs: 60_000 })
    const { server, clock } = place
    const peers = await place.peers(dead)
    await Promise.all(peers.map((peer) => peer.write(framed('first'))))
    for (const peer of peers) await peer.answered(1)
    const [cut, idle] = [peers.filter((_, at) => at % 2 === 0), peers.filter((_, at) => at % 2 === 1)]
    const answered = server.counters.bytesReceived
    await Promise.all(cut.map((peer) => peer.write(framed('second').subarray(0, 40))))
    await waitFor(() => server.counters.bytesReceived === answered + 40 * cut.length, { what: 'the pieces' })
    await clock.advance(55_000)
    await (await place.peer()).closed()
    expect(server.counters).toMatchObject({ connectionsOpen: dead, connectionsRefused: 1 })
    await clock.advance(10_000)
    await all(cut, 'those in the middle of a message to be closed')
    expect([server.counters.frameTimeouts, server.counters.connectionsOpen]).toEqual([cut.length, idle.length])
    await clock.advance(30_000)
    await all(idle, 'those that are silent to be closed')
    expect([server.counters.idleTimeouts, server.counters.connectionsOpen]).toEqual([idle.length, 0])
    const newcomers = await place.peers(dead)
    await Promise.all(newcomers.map((peer) => peer.write(framed('new'))))
    for (const peer of newcomers) await peer.answered(1)
    tellFigures(task, { kills: dead, seen: `${dead} dead peers gave their places back` })
  }, 300_000)
})
