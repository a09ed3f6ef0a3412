import type { Clock } from '../../packages/clock/clock.ts'
import type { RunningCorridor } from './running-corridor.ts'
import { answerMs } from './send-one.ts'

interface Pace {
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
}

/** One that is refused ends nothing: who watches for ten minutes wants to see the rest. */
interface Sent {
  readonly taken: number
  readonly refused: number
}

/** Messages at an even pace, every fifth of them a result, for so long; a connection that is late does not catch up. */
export async function sendSteadily(corridor: RunningCorridor, pace: Pace, clock: Clock): Promise<Sent> {
  const { perSecond, seconds, connections } = pace
  const everyMs = (connections / perSecond) * 1_000
  const endMs = clock.monotonicMs() + seconds * 1_000
  const resultLines = Math.max(1, Math.round(connections / 5))
  const admissions = await corridor.senders('adt', connections - resultLines)
  const results = await corridor.senders('oru', resultLines)
  const lines = [
    ...admissions.map((sender) => ({ sender, next: () => corridor.messages.admission() })),
    ...results.map((sender) => ({ sender, next: () => corridor.messages.results() })),
  ]
  const sent = { taken: 0, refused: 0 }
  await Promise.all(
    lines.map(async ({ sender, next }, index) => {
      await clock.sleep((index / lines.length) * everyMs)
      for (let nowMs = clock.monotonicMs(); nowMs < endMs; nowMs = clock.monotonicMs()) {
        const { ackCode } = await sender.send(next(), { deadlineMs: answerMs })
        sent[ackCode === 'AA' ? 'taken' : 'refused']++
        await clock.sleep(Math.max(0, nowMs + everyMs - clock.monotonicMs()))
      }
      await sender.close()
    }),
  )
  return sent
}
