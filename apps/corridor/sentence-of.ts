import type { Fault } from '../../packages/faults/fault.ts'
import { isReadOnly, sqlErrorOf } from '../../packages/sql/sql-error.ts'
import { calledAs } from './run/called-as.ts'

/**
 * What ended a command or a start, to whoever runs it. A caller of an API is told no more of a database than that it is away,
 * and to try again; here somebody is to do something, and no log has the reason.
 */
export function sentenceOf(fault: Fault): string {
  if (isReadOnly(fault)) {
    return (
      'The database takes no changes: it is a standby, or its transactions are read-only. Name the primary in database.url; ' +
      `"${calledAs()} doctor" says which of the two it is.`
    )
  }
  if (fault.code !== 'DATABASE_UNAVAILABLE' || fault.logged === undefined) return fault.shown
  const refused = sqlErrorOf(fault)
  const advice =
    refused?.sqlState === tooManyConnections
      ? 'Raise its max_connections, or the limit of the user, or lower database.poolMax.'
      : `"${calledAs()} doctor" says what to look at.`
  return `The database cannot be used (${refused?.message ?? fault.logged}). ${advice}`
}

const tooManyConnections = '53300'
