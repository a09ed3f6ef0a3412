import { systemClock } from '../packages/clock/clock.ts'
import { loggedMessages } from './bridge/extent.ts'
import { fillLog } from './bridge/fill-log.ts'
import { knownPatients } from './bridge/messages.ts'
import { noteCosts } from './bridge/note-costs.ts'
import { RunningCorridor } from './bridge/running-corridor.ts'
import { admissions, sendMessages } from './bridge/send-messages.ts'
import { benchmark, type BenchmarkSetup, type Round } from './harness/benchmark.ts'

interface TwoCorridors extends AsyncDisposable {
  readonly young: RunningCorridor
  readonly old: RunningCorridor
}

const sent = (corridor: RunningCorridor, round: Round) =>
  noteCosts(corridor, round, (one) => sendMessages(corridor, one, [admissions(corridor, 32)]))

/** The log alone differs: both stores hold the same patients. */
export default benchmark<TwoCorridors>({
  name: 'bridge-log',
  title: 'messages through all seven stages on 32 connections, with few and with many messages in the log',
  unit: 'messages/s',
  setup: twoCorridors,
  variants: {
    [`log of ${knownPatients.toLocaleString('en')}`]: ({ young }, round) => sent(young, round),
    [`log of ${loggedMessages.toLocaleString('en')}`]: ({ old }, round) => sent(old, round),
  },
  rounds: 3,
  seconds: 3,
})

async function twoCorridors({ progress }: BenchmarkSetup): Promise<TwoCorridors> {
  await using stack = new AsyncDisposableStack()
  progress('starting two Corridors')
  const young = stack.use(await RunningCorridor.start())
  const old = stack.use(await RunningCorridor.start())
  progress(`filling the log of one with ${loggedMessages} messages`)
  // Nothing of it is past its time, so nothing is deleted meanwhile.
  const firstAt = new Date(systemClock.now().getTime() - days * 86_400_000)
  const past = { transactions: loggedMessages, withBytes: loggedMessages, firstAt, days }
  await fillLog(past, { database: old.database, progress })
  progress(`admitting ${knownPatients} patients to each`)
  for (const corridor of [young, old]) await corridor.admitKnownPatients()
  const owned = stack.move()
  return { young, old, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const days = 28
