import type { Fault } from '../../packages/faults/fault.ts'

/** The server does not know such a search, or offers none: asking again would change nothing. */
export const cannotSearch = ({ kind }: Pick<Fault, 'kind'>): boolean => kind === 'incorrect' || kind === 'unprocessable'
