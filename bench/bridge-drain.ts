import { assert } from '../packages/faults/fault.ts'
import { demoToken } from '../packages/testkit/demo-token.ts'
import { parkedMessages } from './bridge/extent.ts'
import { noteCosts, noteSpent, spentBy } from './bridge/note-costs.ts'
import { resetCircuits } from './bridge/operator.ts'
import { failedIn, isDrained, parkedIn, parkMessages, patientBreaker } from './bridge/park-messages.ts'
import type { RunningCorridor } from './bridge/running-corridor.ts'
import { admissions, sendMessages } from './bridge/send-messages.ts'
import { settledCorridor } from './bridge/settled-corridor.ts'
import { benchmark, type Round } from './harness/benchmark.ts'

export default benchmark<RunningCorridor>({
  name: 'bridge-drain',
  title: 'messages that waited for the store, from the reset of its circuit until the last one is through',
  unit: 'messages/s',
  setup: settledCorridor({ settings: patientBreaker }),
  variants: {
    'sent on 32 connections': (corridor, round) =>
      noteCosts(corridor, round, (one) => sendMessages(corridor, one, [admissions(corridor, 32)])),
    [`${parkedMessages.toLocaleString('en')} parked`]: drain,
  },
  rounds: 1,
  warmsUp: false,
})

async function drain(corridor: RunningCorridor, round: Round): Promise<number> {
  const token = await demoToken(corridor.url('auth'))
  await parkMessages(corridor, parkedMessages, token)
  const parked = await parkedIn(corridor)
  const before = await spentBy(corridor)
  const startedMs = round.clock.monotonicMs()
  await resetCircuits(corridor.url('bridge'), token)
  while (!(await isDrained(corridor))) await round.clock.sleep(lookMs)
  const seconds = (round.clock.monotonicMs() - startedMs) / 1_000
  noteSpent(round, before, await spentBy(corridor))
  assert((await failedIn(corridor)) === 0, 'a parked message was given up')
  return parked / seconds
}

const lookMs = 200
