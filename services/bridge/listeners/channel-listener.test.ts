import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { testChannel } from '../testing/test-channels.ts'
import { ChannelListener } from './channel-listener.ts'

const limits = { connectionsMax: 8, frameBytesMax: 65_536, idleTimeoutMs: 60_000 }

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
  [['127.0.0.1', '0.0.0.0'], 1],
])('a channel at %s without TLS is warned of %i times', async (hosts, times) => {
  const captured = capturedLog()
  await using _listener = await opened(hosts, 0, captured)
  expect(captured.events('bridge.channel-without-tls')).toHaveLength(times)
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

it('a port that another program has on one of the addresses is listened on at none', async () => {
  const port = await freePort()
  const rival = createServer()
  await new Promise<void>((resolve) => rival.listen(port, '::1', resolve))
  await using listener = await opened(['127.0.0.1', '::1'], port)
  expect(listener.status).toBe('ERROR')
  expect(await isReached('127.0.0.1', port)).toBe(false)
  await new Promise<unknown>((resolve) => rival.close(resolve))
})
