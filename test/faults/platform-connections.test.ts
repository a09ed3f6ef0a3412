import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { variableOf } from '../../packages/config/schema.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { ownPlace, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { testCorridor, testCorridorDatabase } from '../../packages/testkit/test-corridor.ts'
import type { TestDatabase } from '../../packages/testkit/test-database.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { MovedClock } from '../../packages/testkit/moved-clock.ts'

const idleConnections = casesOf({ daily: 1_000, long: 10_000 })
const slowConnections = casesOf({ daily: 200, long: 2_000 })

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Some at a time: a backlog of thousands would be the kernel's matter, not ours. */
async function openMany(
  count: number,
  port: number,
  then: (socket: Socket) => Promise<void> | void,
): Promise<Socket[]> {
  const sockets: Socket[] = []
  const lane = async () => {
    while (sockets.length < count) {
      const place = sockets.length
      // Sound: the place is filled below.
      sockets.length = place + 1
      const socket = await open(port)
      sockets[place] = socket
      await then(socket)
    }
  }
  await Promise.all(Array.from({ length: 50 }, lane))
  return sockets
}

const end = (sockets: readonly Socket[]) => sockets.forEach((socket) => socket.destroy())

describe(`${idleConnections} idle connections`, () => {
  let database: TestDatabase
  let place: OwnPlace
  let corridor: Child

  beforeAll(async () => {
    database = await testCorridorDatabase()
    place = await ownPlace({
      ...{ mode: 'demo', 'database.url': database.url, 'database.poolMax': '6' },
      ...{ 'bridge.channels.adt.maxConnections': '10000', 'http.keepAliveTimeoutMs': '600000' },
    })
    corridor = await startCommand(['start'], place)
    await corridor.waitForLine(/Corridor is ready/, { deadlineMs: 60_000 })
  }, 90_000)

  afterAll(async () => {
    await corridor?.kill()
    await place?.[Symbol.asyncDispose]()
    await database?.drop()
  })

  const portOf = (path: string) => Number(place.environment[variableOf(path)])

  async function residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${corridor.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024
  }

  async function isServed(controlId: string): Promise<boolean> {
    await using sender = await openHl7Sender({ host: '127.0.0.1', port: portOf('bridge.mllpPort') })
    const { ackCode } = await sender.send(sample({ controlId, patient: 'idle' }), { deadlineMs: 30_000 })
    const read = await fetch(`http://127.0.0.1:${portOf('fhir.port')}/fhir/metadata`)
    return ackCode === 'AA' && read.ok
  }

  it('are held in a few kilobytes each, while everybody else is served', async ({ task }) => {
    expect(await isServed('I-1')).toBe(true)
    const half = idleConnections / 2
    const before = await residentBytes()
    const senders = await openMany(half, portOf('bridge.mllpPort'), () => {})
    const clients = await openMany(half, portOf('fhir.port'), async (socket) => {
      // One request, answered; then the connection is kept, as browsers and services keep theirs.
      socket.write('GET /actuator/health/liveness HTTP/1.1\r\nHost: corridor\r\n\r\n')
      await once(socket, 'data')
    })
    try {
      const bytesEach = ((await residentBytes()) - before) / idleConnections
      tellFigures(task, { seen: `${idleConnections} idle connections, ${(bytesEach / 1_024).toFixed(1)} kB each` })
      expect(await isServed('I-2')).toBe(true)
      expect([...senders, ...clients].filter((socket) => socket.destroyed)).toEqual([])
      // 200 MB for 10,000; a few hundred connections are lost in the noise of the heap.
      expect(bytesEach * idleConnections).toBeLessThan(200 * 1_048_576)
    } finally {
      end([...senders, ...clients])
    }
    expect(await isServed('I-3')).toBe(true)
  }, 120_000)
})

describe(`${slowConnections} connections that send a byte now and then`, () => {
  it('are closed at their deadline, and nobody waits for them meanwhile', async () => {
    const clock = new MovedClock()
    await using corridor = await testCorridor({
      clock,
      settings: { 'http.headersTimeoutMs': '2000', 'bridge.channels.adt.maxConnections': '2000' },
    })
    const { port } = corridor.configuration.bridge.channels.adt
    const http = Number(new URL(corridor.url('fhir')).port)
    const half = slowConnections / 2
    const senders = await openMany(half, port, (socket) => void socket.write('\vMSH|^~\\&|HIS'))
    const clients = await openMany(half, http, (socket) => void socket.write('GET /fhir/metadata HTTP/1.1\r\nX-'))
    const dripping = setInterval(() => {
      for (const socket of [...senders, ...clients]) if (socket.writable) socket.write('x')
    }, 100)
    try {
      await using sender = await openHl7Sender({ host: '127.0.0.1', port })
      expect((await sender.send(sample({ controlId: 'S-1', patient: 'slow' }))).ackCode).toBe('AA')
      expect((await fetch(`${corridor.url('fhir')}/metadata`)).status).toBe(200)
      await waitFor(() => clients.every((socket) => socket.destroyed), {
        what: 'the clients to go',
        deadlineMs: 30_000,
      })
      // A frame has a minute, however many bytes of it have come.
      clock.forward(61)
      await waitFor(() => senders.every((socket) => socket.destroyed), {
        what: 'the senders to go',
        deadlineMs: 30_000,
      })
      await using later = await openHl7Sender({ host: '127.0.0.1', port })
      const message = sample({ controlId: 'S-2', patient: 'slow' })
      // After a minute that passed at once the bridge has to say first that it is still there: until then it says AE.
      await waitFor(async () => (await later.send(message)).ackCode === 'AA', { what: 'an AA', deadlineMs: 30_000 })
    } finally {
      clearInterval(dripping)
      end([...senders, ...clients])
    }
  }, 120_000)
})
