import type { Tone } from '../../../../packages/views/components/tone.ts'
import { dependencies, type Dependency } from '../../breakers/breakers.ts'
import type { BreakerState } from '../../breakers/circuit-breaker.ts'
import { stages, type Stage } from '../../pipeline/stage.ts'
import type { ChannelRecord } from '../../listeners/channel-control.ts'
import type { FlowNow } from './flow-figures.ts'
import { count, milliseconds, rate } from '../numbers.ts'
import { breakerWords, dependencyWords, stageNames } from '../state-words.ts'

/** A stage as it is drawn: its figure, and what it depends on or feeds beside it. */
export interface DrawnStage {
  readonly name: string
  readonly figure: string
  readonly plates: readonly Plate[]
}

export interface Plate {
  readonly label: string
  readonly words: string
  readonly tone: Tone
  /** A breaker is drawn as a switch; what has none hangs on a line. */
  readonly breaker?: BreakerState
}

interface FlowSurroundings {
  readonly channels: readonly ChannelRecord[]
  readonly breakers: ReadonlyMap<Dependency, BreakerState>
}

export function drawnStages(now: FlowNow, { channels, breakers }: FlowSurroundings): DrawnStage[] {
  const timeOf = (stage: Stage | 'ALL') => {
    const found = now.stages.find((one) => one.stage === stage)
    return found === undefined ? 'no messages' : milliseconds(found.p50)
  }
  const own: Partial<Record<Stage, Pick<DrawnStage, 'figure' | 'plates'>>> = {
    RECEIVE: { figure: `${rate(now.lastMinute)} a minute`, plates: [listening(channels)] },
    PERSIST: { figure: timeOf('PERSIST'), plates: [retryQueue(now)] },
    DISPATCH: { figure: 'in the background', plates: [deliveries(now)] },
    ACK: { figure: timeOf('ALL'), plates: [] },
  }
  return stages.map((stage) => {
    const asked = dependencies.filter((name) => dependencyWords[name].stage === stage)
    const switches = asked.map((name) => breakerPlate(name, breakers.get(name) ?? 'CLOSED'))
    const { figure = timeOf(stage), plates = [] } = own[stage] ?? {}
    return { name: stageNames[stage], figure, plates: [...switches, ...plates] }
  })
}

/** The drawing in sentences, for whoever does not see it. */
export const drawingInWords = (drawn: readonly DrawnStage[]): string =>
  drawn
    .map(({ name, figure, plates }) =>
      [`${name}: ${figure}`, ...plates.map(({ label, words }) => `${label}: ${words}`)].join(', '),
    )
    .join('. ')

function listening(channels: readonly ChannelRecord[]): Plate {
  const wanted = channels.filter(({ status }) => status !== 'STOPPED')
  const open = wanted.filter(({ status }) => status === 'RUNNING')
  const isBroken = wanted.some(({ status }) => status === 'ERROR')
  const tone = isBroken ? 'bad' : open.length < wanted.length ? 'warning' : 'good'
  return { label: 'Channels', words: `${open.length} of ${wanted.length} listen`, tone }
}

function retryQueue({ queue: { depth } }: FlowNow): Plate {
  if (depth === 0) return { label: 'Retry queue', words: 'Empty', tone: 'good' }
  return { label: 'Retry queue', words: `${count(depth)} waiting`, tone: 'warning' }
}

function deliveries({ deliveriesWaiting, deliveriesDead }: FlowNow): Plate {
  if (deliveriesDead > 0) return { label: 'Deliveries', words: `${deliveriesDead} given up`, tone: 'bad' }
  const words = deliveriesWaiting === 0 ? 'None waiting' : `${count(deliveriesWaiting)} waiting`
  return { label: 'Deliveries', words, tone: deliveriesWaiting === 0 ? 'good' : 'info' }
}

function breakerPlate(name: Dependency, breaker: BreakerState): Plate {
  const { label: words, tone } = breakerWords[breaker]
  return { label: dependencyWords[name].name, words, tone, breaker }
}
