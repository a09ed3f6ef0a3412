import type { Clock } from '../../packages/clock/clock.ts'
import { faultOf } from '../../packages/faults/fault.ts'
import { loggedFault } from '../../packages/faults/logged.ts'
import { makeLog } from '../../packages/log/log.ts'

/**
 * What ends a Corridor that serves is one line of its log, like everything else that it says. Node's own words are many
 * lines, and have all that the error carries: what a database quotes of a patient, too.
 */
export function lastWords(thrown: unknown, write: (line: string) => void, clock: Clock): void {
  makeLog({ level: 'error', sink: { write }, clock }).error('ended by a bug', loggedFault(faultOf(thrown)))
}
