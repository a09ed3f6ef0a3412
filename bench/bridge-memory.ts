import { steadySeconds } from './bridge/extent.ts'
import type { RunningCorridor } from './bridge/running-corridor.ts'
import { sendSteadily } from './bridge/send-steadily.ts'
import { settledCorridor } from './bridge/settled-corridor.ts'
import { watched, watchMemory } from './bridge/watch-memory.ts'
import { benchmark, type Round } from './harness/benchmark.ts'

const perSecond = 100

export default benchmark<RunningCorridor>({
  name: 'bridge-memory',
  title: `heap of a whole Corridor after a collection, left alone and with ${perSecond} messages a second`,
  unit: 'MB',
  setup: settledCorridor({ environment: watched }),
  variants: {
    'left alone': (corridor, round) => watchMemory(corridor, round, steadySeconds / 5),
    [`${perSecond} messages a second for ${steadySeconds} s`]: underLoad,
  },
  rounds: 1,
  warmsUp: false,
})

async function underLoad(corridor: RunningCorridor, round: Round): Promise<number> {
  const pace = { perSecond, seconds: steadySeconds, connections: 10 }
  const [heapMb, { taken, refused }] = await Promise.all([
    watchMemory(corridor, round, steadySeconds),
    sendSteadily(corridor, pace, round.clock),
  ])
  round.note('messages/s', taken / steadySeconds)
  round.note('refused', refused)
  return heapMb
}
