/** The seven stages, in the order in which every message passes through them. */
export const stages = ['RECEIVE', 'ENRICH', 'TRANSFORM', 'GOVERN', 'PERSIST', 'DISPATCH', 'ACK'] as const

export type Stage = (typeof stages)[number]

/** Where a message can be that was let in. */
export type LaterStage = Exclude<Stage, 'RECEIVE'>
