import type { Clock } from '../../../../packages/clock/clock.ts'
import { remembered } from '../../../../packages/clock/remembered.ts'
import type { Database } from '../../../../packages/sql/database.ts'
import { backgroundQueues, type BackgroundQueue } from '../../../../packages/sql/tasks/background-queues.ts'
import { openAlertState } from '../../coordination/store/alerts.ts'
import { queueState } from '../../durable/claims.ts'
import { backgroundOfBridge } from '../../measure-waiting.ts'
import { minuteOf } from '../../store/transaction-id.ts'
import type { ChannelId } from '../../pipeline/channel.ts'
import {
  backlog,
  latestMessages,
  stageTimes,
  type Backlog,
  type LatestMessage,
  type MinuteCount,
  type StageTimes,
} from '../../store/flow-figures.ts'
import { FlowMinutes } from './flow-minutes.ts'

/** What flows now, for all copies of the bridge: read from the log. */
export interface FlowNow extends Backlog {
  readonly at: Date
  readonly history: FlowHistory
  readonly stages: readonly StageTimes[]
  readonly queue: { readonly depth: number; readonly oldest: Date | null }
  readonly latest: readonly LatestMessage[]
  /** Critical results that nobody has acknowledged. */
  readonly openAlerts: number
  /** What is told to others after the answer; queues with nothing in them are left out. */
  readonly background: readonly BackgroundQueue[]
}

/** The last half hour, minute by minute, the oldest first. Where minutes are compared, the one not yet over is left out. */
interface FlowHistory {
  readonly received: readonly number[]
  readonly failed: readonly number[]
  /** Minutes without a message are left out. */
  readonly medianMs: readonly number[]
  readonly byChannel: ReadonlyMap<ChannelId, readonly number[]>
  /** By MSA-1, how often. */
  readonly ackCodes: ReadonlyMap<string, number>
}

export const historyMinutes = 30
const latestCount = 8
const minuteMs = 60_000
const hourMs = 3_600_000

export interface FlowFigures {
  now(): Promise<FlowNow>
  history(): Promise<FlowHistory>
}

/** However many look, the log is asked once a second, and for the half hour and the background once in five. */
export function flowFigures({ database, clock }: { database: Database; clock: Clock }): FlowFigures {
  const minutes = new FlowMinutes(historyMinutes)
  const readHistory = async () => {
    const { from, counts, medians } = await minutes.read(clock.now(), database)
    return historyOf(from, counts, medians)
  }
  const history = remembered(5_000, readHistory, clock)
  const background = remembered(5_000, () => backgroundQueues(backgroundOfBridge, database), clock)
  const now = remembered(1_000, () => readNow(clock.now(), { history, background }, database), clock)
  return { now, history }
}

interface SeldomRead {
  readonly history: () => Promise<FlowHistory>
  readonly background: () => Promise<readonly BackgroundQueue[]>
}

async function readNow(at: Date, { history, background }: SeldomRead, database: Database): Promise<FlowNow> {
  const [past, queues, waiting, stages, queue, latest, { open: openAlerts }] = await Promise.all([
    ...([history(), background()] as const),
    backlog(at, database),
    stageTimes(new Date(at.getTime() - hourMs), database),
    queueState(database),
    latestMessages(latestCount, database),
    openAlertState(database),
  ])
  return { at, history: past, background: queues, ...waiting, stages, queue, latest, openAlerts }
}

export function historyOf(
  from: Date,
  counts: readonly MinuteCount[],
  medians: readonly { readonly minute: string; readonly ms: number }[],
): FlowHistory {
  const minutes = Array.from({ length: historyMinutes + 1 }, (_, index) =>
    minuteOf(new Date(from.getTime() + index * minuteMs)),
  )
  const over = minutes.slice(0, -1)
  const totals = (which: (count: MinuteCount) => boolean) => {
    const byMinute = Map.groupBy(counts.filter(which), ({ minute }) => minute)
    return over.map((minute) => sumOf(byMinute.get(minute) ?? []))
  }
  const channels = new Set(counts.map(({ channelId }) => channelId))
  const codes = Map.groupBy(counts, ({ ackCode }) => ackCode ?? 'none')
  const medianOf = new Map(medians.map(({ minute, ms }) => [minute, ms]))
  return {
    received: totals(() => true),
    failed: totals(({ status }) => status === 'ERROR'),
    medianMs: minutes.flatMap((minute) => medianOf.get(minute) ?? []),
    byChannel: new Map([...channels].map((id) => [id, totals(({ channelId }) => channelId === id)])),
    ackCodes: new Map([...codes].map(([code, own]) => [code, sumOf(own)])),
  }
}

const sumOf = (counts: readonly MinuteCount[]): number => counts.reduce((sum, { messages }) => sum + messages, 0)
