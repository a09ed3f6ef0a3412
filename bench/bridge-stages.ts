import { RunningCorridor, knownPatients } from './bridge/running-corridor.ts'
import { recentTimes, signInAsMonitor, type MessageTimes } from './bridge/message-times.ts'
import { sendAdmissions } from './bridge/send-admissions.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { median } from './harness/statistics.ts'

interface World extends AsyncDisposable {
  readonly corridor: RunningCorridor
  readonly token: string
}

const connections = 8

const timed =
  (timeOf: (times: MessageTimes) => number) =>
  async ({ corridor, token }: World, round: Round): Promise<number> => {
    await sendAdmissions(corridor, round, connections)
    return median((await recentTimes(corridor.url('bridge'), token)).map(timeOf))
  }

export default benchmark<World>({
  name: 'bridge-stages',
  title: `where the time of an admission goes, as the bridge writes it down, on ${connections} connections`,
  unit: 'ms',
  setup: async ({ progress }) => {
    progress('starting a Corridor')
    const corridor = await RunningCorridor.start()
    progress(`admitting ${knownPatients} patients`)
    await corridor.admitKnownPatients()
    const token = await signInAsMonitor(corridor.url('auth'))
    return { corridor, token, [Symbol.asyncDispose]: () => corridor[Symbol.asyncDispose]() }
  },
  variants: {
    'the whole message': timed(({ wholeMs }) => wholeMs),
    enrich: timed(({ stageMs }) => stageMs['ENRICH'] ?? 0),
    transform: timed(({ stageMs }) => stageMs['TRANSFORM'] ?? 0),
    govern: timed(({ stageMs }) => stageMs['GOVERN'] ?? 0),
    persist: timed(({ stageMs }) => stageMs['PERSIST'] ?? 0),
    'journal, log and answer': timed(({ wholeMs, stageMs }) =>
      Math.max(0, wholeMs - Object.values(stageMs).reduce((sum, ms) => sum + ms, 0)),
    ),
  },
  rounds: 3,
  seconds: 2,
})
