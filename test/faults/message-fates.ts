import type { FaultFigures } from './fault-figures.ts'
import type { InsistentSender } from './insistent-sender.ts'

/** What became of the messages of all senders. */
export interface Fates {
  /** What should not have been, in sentences. */
  readonly faults: readonly string[]
  readonly figures: Required<Pick<FaultFigures, 'histories' | 'lost' | 'twice'>>
}

/** What became of the messages of one sender. */
export interface FateOfOne {
  readonly faults: readonly string[]
  readonly lost: number
  readonly twice: number
}

export function fatesIn(senders: ReadonlyMap<string, InsistentSender>, parts: readonly FateOfOne[]): Fates {
  const total = (of: 'lost' | 'twice') => parts.reduce((all, part) => all + part[of], 0)
  return {
    faults: parts.flatMap(({ faults }) => faults),
    figures: { histories: sum(senders), lost: total('lost'), twice: total('twice') },
  }
}

/** How many messages were acknowledged. */
export const sum = (senders: ReadonlyMap<string, InsistentSender>): number =>
  [...senders.values()].reduce((total, { acknowledged }) => total + acknowledged, 0)
