import type { Fault } from '../../faults/fault.ts'

/** The outside is away or has too much to do: it concerns all that is asked now, and nothing in it is to blame. */
export const isOutside = ({ kind }: Pick<Fault, 'kind'>): boolean => kind === 'unavailable' || kind === 'too-much'

/** What was told is refused, and will be however often it is told. */
export const isRefusal = ({ kind }: Pick<Fault, 'kind'>): boolean => kind === 'incorrect' || kind === 'unprocessable'

/** Whoever tells is refused: a right is missing, or an address is wrong. People mend it, and no task is to blame. */
export const isRefusalOfUs = ({ kind }: Pick<Fault, 'kind'>): boolean =>
  kind === 'unauthenticated' || kind === 'forbidden' || kind === 'missing' || kind === 'conflict'
