import { DatabaseError } from 'pg'

/**
 * What PostgreSQL refused, without the values it refused: the server's own message and detail can hold patient data,
 * so they never leave this file unless their kind cannot carry any.
 */
export class SqlError extends Error {
  readonly sqlState: string
  readonly constraint: string | undefined
  /** Where in the statement's text, counted from 1. */
  readonly position: number | undefined

  constructor(error: DatabaseError) {
    const sqlState = error.code ?? 'XX000'
    super(messageHoldsValues(sqlState) ? 'a value has the wrong form or is out of range' : error.message)
    this.name = 'SqlError'
    this.sqlState = sqlState
    this.constraint = error.constraint
    this.position = error.position === undefined ? undefined : Number(error.position)
  }
}

/** Class 22 is "data exception": `invalid input syntax for type uuid: "…"` quotes what was sent. */
const messageHoldsValues = (sqlState: string) => sqlState.startsWith('22')

/** Anything thrown by the driver or by us, as a SqlError if PostgreSQL sent it. */
export function sqlErrorOf(thrown: unknown): SqlError | undefined {
  if (thrown instanceof SqlError) return thrown
  if (thrown instanceof DatabaseError) return new SqlError(thrown)
  return thrown instanceof Error && thrown.cause !== undefined ? sqlErrorOf(thrown.cause) : undefined
}

/** Serialization failure, deadlock, lock not granted: the whole transaction may be run again. */
export function isRetryable(thrown: unknown): boolean {
  const sqlState = sqlErrorOf(thrown)?.sqlState
  return sqlState !== undefined && ['40001', '40P01', '55P03'].includes(sqlState)
}

/** The session takes no writes: it is with a standby, or with a server that was made read-only. */
export const isReadOnly = (thrown: unknown): boolean => sqlErrorOf(thrown)?.sqlState === '25006'

/** The session is gone or unusable: socket errors, and the states in which the server ends or refuses sessions. */
export function isConnectionLoss(thrown: unknown): boolean {
  const sqlState = sqlErrorOf(thrown)?.sqlState
  if (sqlState !== undefined) return goneStates.has(sqlState) || sqlState.startsWith('08')
  return thrown instanceof Error && !isDriverMisuse(thrown)
}

/** Shutdown, crash, starting up, database dropped, idle in transaction or idle session ended by the server. */
const goneStates: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04'])

/** What the driver throws about our own call; everything else that is not from the server is about the connection. */
function isDriverMisuse(error: Error): boolean {
  return (
    error.name === 'Fault' ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    /^Prepared statements must be unique|^Query values|^A query must have/.test(error.message)
  )
}
