import { noteCosts } from './bridge/note-costs.ts'
import type { RunningCorridor } from './bridge/running-corridor.ts'
import { admissions, repetitions, results, sendMessages, type Lines } from './bridge/send-messages.ts'
import { settledCorridor } from './bridge/settled-corridor.ts'
import { benchmark, type Variant } from './harness/benchmark.ts'

const sent =
  (linesOf: (corridor: RunningCorridor) => readonly Lines[]): Variant<RunningCorridor> =>
  (corridor, round) =>
    noteCosts(corridor, round, (one) => sendMessages(corridor, one, linesOf(corridor)))

/** All seven stages, consent included, on the embedded PostgreSQL with durable settings; both ends on this machine. */
export default benchmark<RunningCorridor>({
  name: 'bridge',
  title:
    'messages through all seven stages, from the first byte to the AA, by connections and by what they hold, and what each costs',
  unit: 'messages/s',
  setup: settledCorridor(),
  variants: {
    '1 connection, known patients': sent((corridor) => [admissions(corridor, 1)]),
    '8 connections, known patients': sent((corridor) => [admissions(corridor, 8)]),
    '32 connections, known patients': sent((corridor) => [admissions(corridor, 32)]),
    '64 connections, known patients': sent((corridor) => [admissions(corridor, 64)]),
    '32 connections, nothing new': sent((corridor) => [repetitions(corridor, 32)]),
    '32 connections, new patients': sent((corridor) => [admissions(corridor, 32, { isNew: true })]),
    '32 connections, results': sent((corridor) => [results(corridor, 32)]),
    // Four admissions to a result, as in a hospital's day.
    '32 connections, 26 admissions and 6 results': sent((corridor) => [admissions(corridor, 26), results(corridor, 6)]),
  },
  rounds: 3,
  seconds: 3,
})
