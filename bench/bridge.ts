import { RunningCorridor, knownPatients } from './bridge/running-corridor.ts'
import { sendAdmissions, sendMessages } from './bridge/send-admissions.ts'
import { benchmark } from './harness/benchmark.ts'

/** All seven stages, consent included, on the embedded PostgreSQL with durable settings; both ends on this machine. */
export default benchmark<RunningCorridor>({
  name: 'bridge',
  title: 'messages through all seven stages, from the first byte to the AA, by connections and by what they hold',
  unit: 'messages/s',
  setup: async ({ progress }) => {
    progress('starting a Corridor')
    const corridor = await RunningCorridor.start()
    progress(`admitting ${knownPatients} patients`)
    await corridor.admitKnownPatients()
    return corridor
  },
  variants: {
    '1 connection, known patients': (corridor, round) => sendAdmissions(corridor, round, 1),
    '8 connections, known patients': (corridor, round) => sendAdmissions(corridor, round, 8),
    '32 connections, known patients': (corridor, round) => sendAdmissions(corridor, round, 32),
    '64 connections, known patients': (corridor, round) => sendAdmissions(corridor, round, 64),
    '32 connections, new patients': (corridor, round) => sendAdmissions(corridor, round, 32, { isNew: true }),
    '32 connections, results': (corridor, round) => sendMessages(corridor, round, 'oru', 32, () => corridor.results()),
  },
  rounds: 3,
  seconds: 5,
})
