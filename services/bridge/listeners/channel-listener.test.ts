import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { frame } from '../../../packages/hl7/mllp/framer.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { RawPeer } from '../../../packages/testkit/raw-peer.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { retryTransactions } from '../durable/retry-transactions.ts'
import { deadLetterGroups } from '../store/dead-letters.ts'
import { listTransactions, rawMessage } from '../store/transactions.ts'
import { flowWorld, sample, succeeded } from '../testing/flow-world.ts'
import { MemoryDurableStore } from '../testing/memory-durable-store.ts'
import { testChannel } from '../testing/test-channels.ts'
import { ChannelListener } from './channel-listener.ts'

const limits = { connectionsMax: 8, frameBytesMax: 65_536, frameTimeoutMs: 60_000, idleTimeoutMs: 60_000 }

const opened = async (hosts: readonly string[], port: number, { log } = capturedLog()) => {
  const listener = new ChannelListener(
    { channel: testChannel('adt'), isEnabled: true, port, hosts, ...limits },
    { clock: systemClock, ids: systemIds, log, receive: async () => {}, onEvent() {}, onRefused() {} },
  )
  await listener.open()
  return Object.assign(listener, { [Symbol.asyncDispose]: () => listener.close('STOPPED', 0) })
}

const isReached = async (host: string, port: number) => {
  try {
    await using _sender = await openHl7Sender({ host, port })
    return true
  } catch {
    return false
  }
}

it.each([
  [['localhost'], 0],
  [['127.0.0.1', '::1'], 0],
  [['0.0.0.0', '::1'], 1],
])('a channel at %s without TLS is warned of %i times', async (hosts, times) => {
  const captured = capturedLog()
  await using _listener = await opened(hosts, 0, captured)
  expect(captured.events('bridge.channel-without-tls')).toHaveLength(times)
})

it('a batch passes message by message at the pace of its channel, and none is late because it waited', async () => {
  const clock = new SimulatedClock()
  const beganAt: number[] = []
  await using world = await flowWorld({
    ...{ clock, deps: { durable: new MemoryDurableStore(clock) } },
    runStages: async () => {
      beganAt.push(clock.monotonicMs())
      return succeeded()
    },
  })
  const listener = new ChannelListener(
    { channel: testChannel('adt'), isEnabled: true, port: 0, hosts: ['127.0.0.1'], messagesPerMinute: 6, ...limits },
    {
      ...{ clock, ids: systemIds, log: silentLog, onEvent() {}, onRefused() {} },
      receive: (incoming) => world.flow.receive(incoming),
    },
  )
  await listener.open()
  const socket = connect(listener.port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  const answers = () => heard.match(/MSA\|A[AER]\|\w+/g) ?? []
  // Longer together than one message may take.
  const controlIds = ['B1', 'B2', 'B3', 'B4', 'B5', 'B6']
  const messages = controlIds.map((controlId) => sample({ controlId }))
  socket.write(frame(Buffer.from(`BHS|^~\\&\r${messages.join('')}BTS|6\r`)))
  const areAnswered = async () => clock.advance(1_000).then(() => answers().length === controlIds.length)
  await waitFor(areAnswered, { what: 'all of the batch is answered', deadlineMs: 60_000 })
  expect(answers()).toEqual(controlIds.map((controlId) => `MSA|AA|${controlId}`))
  const gaps = beganAt.slice(1).map((at, index) => at - (beganAt[index] ?? 0))
  // Some of its time may pass while it is on its way.
  expect(Math.min(...gaps)).toBeGreaterThan(5_000)
  socket.destroy()
  await listener.close('STOPPED', 1_000)
})

it.each([
  ['no limit', undefined],
  ['a limit', 6],
])(
  'a batch ends with the message that it is at when its channel closes, with %s, and the rest hears nothing',
  async (_, limit) => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ran: string[] = []
    await using world = await flowWorld({
      runStages: async ({ message }) => {
        ran.push(message.getText('MSH-10') ?? '')
        begun.resolve()
        await gate.promise
        return succeeded()
      },
    })
    const pace = limit === undefined ? {} : { messagesPerMinute: limit }
    const listener = new ChannelListener(
      { channel: testChannel('adt'), isEnabled: true, port: 0, hosts: ['127.0.0.1'], ...pace, ...limits },
      {
        ...{ clock: systemClock, ids: systemIds, log: silentLog, onEvent() {}, onRefused() {} },
        receive: (incoming) => world.flow.receive(incoming),
      },
    )
    await listener.open()
    const socket = connect(listener.port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    const ended = new Promise((resolve) => socket.once('end', resolve))
    const messages = ['C1', 'C2', 'C3'].map((controlId) => sample({ controlId }))
    socket.write(frame(Buffer.from(`BHS|^~\\&\r${messages.join('')}BTS|3\r`)))
    await begun.promise
    const closed = listener.close('PAUSED', 10_000)
    gate.resolve()
    await Promise.all([closed, ended])
    expect(heard.match(/MSA\|A[AER]\|\w+/g)).toEqual(['MSA|AA|C1'])
    expect(ran).toEqual(['C1'])
  },
)

it('a message that is too large is in the log with how it began, is found, is one dead letter and is never run', async () => {
  await using world = await flowWorld()
  const events: string[] = []
  const listener = new ChannelListener(
    { channel: testChannel('adt'), isEnabled: true, port: 0, hosts: ['127.0.0.1'], ...limits },
    {
      ...{ clock: systemClock, ids: systemIds, log: silentLog, onRefused() {} },
      onEvent: ({ kind }) => events.push(kind),
      receive: (incoming) => world.flow.receive(incoming),
    },
  )
  await listener.open()
  const answered = async (message: string) => {
    await using sender = await openHl7Sender({ host: '127.0.0.1', port: listener.port })
    const answer = await sender.send(message)
    await sender.waitForEnd()
    return answer.raw.toString()
  }
  const large = (rest: string) =>
    sample({ controlId: 'L1', patient: '4711', rest: `OBX|1|ED|||${'A'.repeat(70_000)}${rest}` })
  const told = await answered(large(''))
  expect(told).toMatch(/MSA\|AR\|L1\|The message is larger than the 65536 bytes that this listener takes/)
  expect(told).toMatch(/ERR\|\|\|104[^|]*\|E\|MESSAGE_TOO_LARGE/)
  await answered(large('\rPID|2||4712'))
  await answered(`BHS|^~\\&|HIS|CENTRAL\r${large('')}`)

  const { rows } = await listTransactions(
    { patientId: '4711' },
    'startedAt,asc',
    { number: 0, offset: 0, size: 9 },
    world.database,
  )
  expect(rows).toHaveLength(3)
  const common = { status: 'ERROR', control_id: 'L1', message_type: 'ADT^A08', ack_code: 'AR', stage: 'RECEIVE' }
  expect(rows).toMatchObject([
    { ...common, facility_code: 'CENTRAL', error_code: 'MESSAGE_TOO_LARGE', parent_transaction_id: null },
    { ...common, parent_transaction_id: rows[0]?.id },
    { ...common, parent_transaction_id: null },
  ])
  expect(rows[0]?.bytes).toBeGreaterThan(65_536)
  const [first = '', second = ''] = rows.map(({ id }) => id)
  expect((await rawMessage(first, world.database))?.length).toBe(4_096)
  expect(await deadLetterGroups(9, world.database)).toMatchObject([{ errorCode: 'MESSAGE_TOO_LARGE', count: 2 }])

  const { database } = world
  const deps = { database, clock: systemClock, channelOf: () => testChannel('adt'), queue: world.flow.retries }
  expect(await retryTransactions(deps).retry(second, 'admin')).toEqual({ is: 'cut' })
  expect(await retryTransactions(deps).retryBatch({}, 'admin')).toMatchObject({ matched: 2, accepted: 0, skipped: 2 })
  expect(events).toEqual(['oversize', 'oversize', 'oversize'])
  await listener.close('STOPPED', 0)
})

it('a frame that has begun and does not end is given up within the time that is configured, and told of', async () => {
  const clock = new SimulatedClock()
  const captured = capturedLog(clock)
  const told: string[] = []
  const listener = new ChannelListener(
    {
      ...{ channel: testChannel('adt'), isEnabled: true, port: 0, hosts: ['127.0.0.1'] },
      ...{ ...limits, frameTimeoutMs: 5_000, idleTimeoutMs: 3_600_000 },
    },
    {
      ...{ clock, ids: systemIds, log: captured.log, receive: async () => {}, onRefused() {} },
      onEvent: ({ kind, length }) => told.push(`${kind} ${length}`),
    },
  )
  await listener.open()
  using peer = await RawPeer.open(listener.port)
  const heldMs = async () => {
    for (let seconds = 0; ; seconds++) {
      await peer.write(seconds === 0 ? '\u000b' : 'M')
      await clock.advance(1_000)
      if (captured.events('mllp.frame-too-slow').length > 0) return seconds * 1_000
    }
  }
  // A byte a second; the first may be on its way when the first second passes.
  expect(await heldMs()).toBeLessThan(30_000)
  await waitFor(() => told.length > 0, { what: 'the broken frame to be told of' })
  expect(told).toEqual([expect.stringMatching(/^cut \d$/)])
  expect(captured.events('mllp.frame-too-slow')).toMatchObject([{ channel: 'adt', host: '127.0.0.1' }])
  await listener.close('STOPPED', 0)
})

it.each([[['0.0.0.0', '::']], [['::', '0.0.0.0']]])('a channel listens on all of %s', async (hosts) => {
  const port = await freePort()
  await using listener = await opened(hosts, port)
  expect(listener.status).toBe('RUNNING')
  expect([await isReached('127.0.0.1', port), await isReached('::1', port)]).toEqual([true, true])
})

// 2001:db8::/32 is for documentation; no machine has it.
it.each([
  [['2001:db8::1', '127.0.0.1'], 'RUNNING'],
  [['127.0.0.1', '2001:db8::1'], 'RUNNING'],
  [['2001:db8::1'], 'ERROR'],
])('a channel at %s, of which this machine lacks one, is %s', async (hosts, status) => {
  const port = await freePort()
  await using listener = await opened(hosts, port)
  expect(listener.status).toBe(status)
  expect(await isReached('127.0.0.1', port)).toBe(status === 'RUNNING')
})

it('a port that another program has is warned of no openness, however often it is tried', async () => {
  const rival = createServer()
  await new Promise<void>((resolve) => rival.listen(0, '0.0.0.0', resolve))
  const { port } = rival.address() as AddressInfo
  const captured = capturedLog()
  await using listener = await opened(['0.0.0.0'], port, captured)
  await listener.open()
  expect([listener.status, captured.events('bridge.channel-without-tls')]).toEqual(['ERROR', []])
  await new Promise<unknown>((resolve) => rival.close(resolve))
})

it('a port that another program has on one of the addresses is listened on at none', async () => {
  const port = await freePort()
  const rival = createServer()
  await new Promise<void>((resolve) => rival.listen(port, '::1', resolve))
  await using listener = await opened(['127.0.0.1', '::1'], port)
  expect(listener.status).toBe('ERROR')
  expect(await isReached('127.0.0.1', port)).toBe(false)
  await new Promise<unknown>((resolve) => rival.close(resolve))
})
