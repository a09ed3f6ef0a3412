import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { channelIds } from '../pipeline/channel.ts'
import { succeeded } from '../testing/flow-world.ts'
import { testChannel } from '../testing/test-channels.ts'
import { Measures } from './measures.ts'

// A counter that begins with its first message has nothing to grow from: neither a first failure nor a silence is seen.
it('tells of every channel from the start, also of one that was never heard', async () => {
  const metrics = new Metrics()
  expect(new Measures({ metrics, clock: new SimulatedClock() })).toBeDefined()
  const text = await metrics.text()
  for (const channel of channelIds) {
    for (const status of ['SUCCESS', 'ERROR', 'QUEUED', 'DUPLICATE']) {
      expect(text).toContain(`corridor_bridge_messages_total{channel="${channel}",status="${status}"} 0\n`)
    }
    expect(text).toContain(`corridor_bridge_content_mismatches_total{channel="${channel}"} 0\n`)
  }
})

it('takes the age of a message that an operator has run again for no slowness', async () => {
  const metrics = new Metrics()
  const clock = new SimulatedClock()
  const measures = new Measures({ metrics, clock })
  const message = { channel: testChannel('adt'), receivedAt: clock.now() }
  await clock.advance(3_600_000)
  measures.ended({ ...message, wasEnded: true }, succeeded(), undefined)
  expect(await metrics.text()).not.toContain('corridor_bridge_message_seconds_count{channel="adt"} 1')
  measures.ended(message, succeeded(), undefined)
  expect(await metrics.text()).toContain('corridor_bridge_message_seconds_count{channel="adt"} 1')
})
