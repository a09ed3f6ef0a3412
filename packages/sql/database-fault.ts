import { bug, conflict, Fault, incorrect, unavailable } from '../faults/fault.ts'
import { isConnectionLoss, sqlErrorOf, type SqlError } from './sql-error.ts'
import type { Statement } from './sql.ts'

/** What the driver threw, as a fault that may be answered with: no values, no address, no password. */
export function databaseFault(thrown: unknown, statement?: Statement): Fault {
  if (thrown instanceof Fault) return thrown
  const refused = sqlErrorOf(thrown)
  if (refused !== undefined) return faultBySqlState(refused, statement)
  if (isConnectionLoss(thrown)) return databaseUnavailable(reasonOf(thrown))
  return bug(`the database driver failed: ${reasonOf(thrown)}`, { cause: thrown })
}

export function databaseUnavailable(logged: string, cause?: unknown): Fault {
  return unavailable('The database cannot be reached at the moment. Try again in a moment.', {
    code: 'DATABASE_UNAVAILABLE',
    retryAfterSeconds: 1,
    logged,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** The connection was lost between sending COMMIT and its answer. Only the caller can find out, by looking. */
export function outcomeUnknown(thrown: unknown): Fault {
  return unavailable('The connection to the database was lost while it was committing, so the outcome is unknown.', {
    code: unknownOutcome,
    logged: reasonOf(thrown),
  })
}

const unknownOutcome = 'DATABASE_OUTCOME_UNKNOWN'

/** What was to be written may have been. */
export const isOutcomeUnknown = ({ code }: Pick<Fault, 'code'>): boolean => code === unknownOutcome

const tookTooLong = 'DATABASE_TIMEOUT'

/** One statement took too long. What is asked for beside it may be quick. */
export const isTooSlow = ({ code }: Pick<Fault, 'code'>): boolean => code === tookTooLong

const outOfRoom = 'DATABASE_FULL'

/** The disk of the database is full. Room does not come back within seconds, as a connection may. */
export const isOutOfRoom = (thrown: unknown): thrown is Fault => thrown instanceof Fault && thrown.code === outOfRoom

function faultBySqlState(cause: SqlError, statement: Statement | undefined): Fault {
  const where = statement === undefined ? '' : ` in: ${statement.text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)}`
  const logged = `${cause.message} (SQLSTATE ${cause.sqlState})${where}`
  const details = { logged, cause }
  switch (cause.sqlState) {
    case '23505':
    case '23P01':
      return conflict('A record with the same key exists already.', { code: 'ALREADY_EXISTS', ...details })
    case '23503':
      return conflict('A record that this one refers to does not exist, or is still referred to.', {
        code: 'REFERENCE_BROKEN',
        ...details,
      })
    case '22001':
    case '22003':
    case '22007':
    case '22008':
    case '22021':
    case '22P02':
    case '22P05':
      return incorrect('A value cannot be stored: it has the wrong form or is out of range.', {
        code: 'VALUE_REFUSED',
        ...details,
      })
    case '40001':
    case '40P01':
    case '55P03':
      return unavailable('Too many changes to the same records at once. Try again in a moment.', {
        code: 'DATABASE_CONTENTION',
        retryAfterSeconds: 1,
        ...details,
      })
    case '53100':
      return unavailable('The database has no room at the moment. Try again later.', {
        code: outOfRoom,
        retryAfterSeconds: 1,
        ...details,
      })
    case '57014':
      return unavailable('The database took too long. Try again in a moment.', { code: tookTooLong, ...details })
    default:
      return isUnavailability(cause) ? databaseUnavailable(logged, cause) : bug(logged, details)
  }
}

/** Class 28 and 3D: wrong user or database; 53: out of memory or connections; 25006: a read-only standby. */
function isUnavailability(refused: SqlError): boolean {
  return isConnectionLoss(refused) || /^(28|3D|53)|^25006$/.test(refused.sqlState)
}

/** `localhost` is often two addresses, and then the error is a list with an empty message of its own. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(reasonOf).join('; ')
  return thrown instanceof Error ? thrown.message : 'something that is not an error was thrown'
}
