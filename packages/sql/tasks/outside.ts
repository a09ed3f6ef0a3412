import type { Fault } from '../../faults/fault.ts'

/** The outside is away or has too much to do: it concerns all that is asked now, and nothing in it is to blame. */
export const isOutside = ({ kind }: Pick<Fault, 'kind'>): boolean => kind === 'unavailable' || kind === 'too-much'
