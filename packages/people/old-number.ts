import type { Identifier } from '../fhir/r4.ts'

/** Whether a number was given up, by its use or by the end of its period: a card that has run out is nobody's number any more. */
export function isOldNumber({ use, period }: Identifier, now: Date): boolean {
  const end = period?.end?.slice(0, 10)
  return use === 'old' || (end !== undefined && end < now.toISOString().slice(0, end.length))
}
