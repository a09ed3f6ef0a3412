import type { Senders } from '../crowd/senders.ts'
import type { FaultFigures } from './fault-figures.ts'

/** What became of the messages of all senders. */
export interface Fates {
  /** What should not have been, in sentences. */
  readonly faults: readonly string[]
  readonly figures: Required<Pick<FaultFigures, 'histories' | 'lost' | 'twice'>>
}

/** What became of the messages of one sender. */
interface FateOfOne {
  readonly faults: readonly string[]
  readonly lost: number
  readonly twice: number
}

export function fatesIn(senders: Senders, parts: readonly FateOfOne[]): Fates {
  const total = (of: 'lost' | 'twice') => parts.reduce((all, part) => all + part[of], 0)
  return {
    faults: parts.flatMap(({ faults }) => faults),
    figures: { histories: senders.acknowledged, lost: total('lost'), twice: total('twice') },
  }
}
