import type { Fault } from '../../../packages/faults/fault.ts'

/**
 * That a dependency gave no answer, and what is known of it: that it is away, that it was too slow, with which status it
 * answered. Whoever is called at night must not look for a network that is well. Its own words are in neither.
 */
export function noAnswer(who: string, { shown, logged = '' }: Fault): string {
  const status = /^status \d{3}$/.test(logged) ? ` (${logged})` : ''
  return `${who} gave no answer. ${shown.replace(/\.$/, '')}${status}.`
}
