import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { testChannel } from '../testing/test-channels.ts'
import { ChannelListener } from './channel-listener.ts'

const limits = { connectionsMax: 8, frameBytesMax: 65_536, idleTimeoutMs: 60_000 }

it.each([
  [['localhost'], 0],
  [['127.0.0.1', '::1'], 0],
  [['127.0.0.1', '0.0.0.0'], 1],
])('a channel at %s without TLS is warned of %i times', async (hosts, times) => {
  const captured = capturedLog()
  const listener = new ChannelListener(
    { channel: testChannel('adt'), isEnabled: true, port: 0, hosts, ...limits },
    { clock: systemClock, ids: systemIds, log: captured.log, receive: async () => {}, onEvent() {}, onRefused() {} },
  )
  await listener.open()
  await listener.close('STOPPED', 0)
  expect(captured.events('bridge.channel-without-tls')).toHaveLength(times)
})
