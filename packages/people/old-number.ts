import type { Identifier } from '../fhir/r4.ts'
import { isOver } from './period.ts'

/** Whether a number was given up, by its use or by the end of its period: a card that has run out is nobody's number any more. */
export const isOldNumber = ({ use, period }: Identifier, now: Date): boolean => use === 'old' || isOver(period, now)
