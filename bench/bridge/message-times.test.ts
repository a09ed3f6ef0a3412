import { expect, it } from 'vitest'
import { readMessageTimes } from './message-times.ts'

it('adds up the messages of all channels and keeps the stages apart', () => {
  const text = `# HELP corridor_bridge_message_seconds From receipt to the durable end.
corridor_bridge_message_seconds_bucket{le="0.001",channel="adt"} 0
corridor_bridge_message_seconds_sum{channel="adt"} 1.5
corridor_bridge_message_seconds_count{channel="adt"} 30
corridor_bridge_message_seconds_sum{channel="oru"} 0.5
corridor_bridge_message_seconds_count{channel="oru"} 10
corridor_bridge_stage_seconds_sum{stage="ENRICH"} 0.25
corridor_bridge_stage_seconds_count{stage="ENRICH"} 40
corridor_bridge_stage_seconds_sum{stage="PERSIST"} 1e-3
corridor_bridge_stage_seconds_count{stage="PERSIST"} 40
corridor_bridge_parked_messages 3
`
  expect(readMessageTimes(text)).toEqual({ messages: 40, wholeMs: 2_000, stageMs: { ENRICH: 250, PERSIST: 1 } })
})
