import type { Recurring } from '../clock/every.ts'
import { bug } from '../faults/fault.ts'
import type { NoticeChannel } from './notices.ts'
import type { Statement } from './sql.ts'

/** What runs statements: the database, or one transaction of it. */
export interface Queryable {
  many<Row>(statement: Statement): Promise<Row[]>
  /** Exactly one row; anything else is a bug. */
  one<Row>(statement: Statement): Promise<Row>
  /** No row or one. */
  maybe<Row>(statement: Statement): Promise<Row | undefined>
  /** How many rows were affected. */
  run(statement: Statement): Promise<number>
}

/** One transaction. What must happen together takes this type, so it cannot be called outside of one. */
export interface Transaction extends Queryable {
  /** Statements that need nothing of each other's answers, in one round trip: the rows of each. */
  together(statements: readonly Statement[]): Promise<readonly unknown[][]>
  /** The same, and COMMIT behind them. It is the last that the transaction does. */
  commitWith(statements: readonly Statement[]): Promise<readonly unknown[][]>
  /** Called once the transaction is durable (never when it was rolled back): for hints such as waking a worker. */
  afterCommit(hint: () => void): void
}

export interface TransactionOptions {
  /**
   * `kept`: statements made with `kept` are planned once a connection, without sequential scans. Only for transactions
   * whose statements all begin with a key.
   */
  readonly plans?: 'kept'
}

export interface Database extends Queryable {
  /**
   * Runs the work in one transaction. A serialization failure, a deadlock, a lock that was not granted, or a connection
   * lost before COMMIT was sent runs the work again from its start: it must do nothing but SQL.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Hears what other processes tell over this database (`tellNotices`), until it is ended: a hint, never the only way. */
  hear(channel: NoticeChannel, heard: (text: string) => void): Recurring
  close(): Promise<void>
}

export interface Outcome {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: unknown[]
}

export function queryableOver(execute: (statement: Statement) => Promise<Outcome>): Queryable {
  const many = async <Row>(statement: Statement) => {
    // Sound as far as the statement was written for Row: this is the border between SQL and types.
    return (await execute(statement)).rows as Row[]
  }
  const maybe = async <Row>(statement: Statement) => {
    const rows = await many<Row>(statement)
    if (rows.length > 1) throw bug(`at most one row was expected, ${rows.length} came: ${statement.text}`)
    return rows[0]
  }
  return {
    many,
    maybe,
    async one<Row>(statement: Statement) {
      const row = await maybe<Row>(statement)
      if (row === undefined) throw bug(`one row was expected, none came: ${statement.text}`)
      return row
    },
    run: async (statement) => (await execute(statement)).rowCount ?? 0,
  }
}
