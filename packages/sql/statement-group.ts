import { Query, type Connection } from 'pg'
import type { Outcome } from './queryable.ts'

type DriverConnection = Pick<Connection, 'stream' | 'sync' | 'execute'>

/** What the driver's own class has and its types do not tell. */
interface DriverQueryMembers {
  callback: (error: Error | null | undefined, results: Outcome | Outcome[]) => void
  submit(connection: DriverConnection): null
  prepare(connection: DriverConnection): void
  hasBeenParsed(connection: DriverConnection): boolean
  handleCommandComplete(message: unknown, connection: DriverConnection): void
  _getRows(connection: DriverConnection): void
}

// Sound for the version of the driver that package.json names; statement-group.test.ts would tell.
const DriverQuery = Query as unknown as new (config: {
  readonly text: string
  readonly values?: readonly unknown[]
  readonly name?: string
}) => DriverQueryMembers

/** A statement as the driver takes it; prepared once a connection where it has a name. */
export interface Prepared {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: string
}

/**
 * Statements that are sent together and answered together. The driver ends every statement with a Sync, which makes the
 * server answer each in a packet of its own; here there is one at the end. Outside of a transaction block that also makes
 * them one transaction, durable when the answer comes: no BEGIN, no COMMIT.
 */
export class StatementGroup extends DriverQuery {
  readonly #statements: readonly Prepared[]
  readonly answered: Promise<readonly Outcome[]>
  /** A statement was given its name here: if the group fails, nobody knows whether the server has taken it. */
  namesStatements = false
  #completed = 0

  constructor(statements: readonly Prepared[]) {
    super({ text: '' })
    this.#statements = statements
    const { promise, resolve, reject } = Promise.withResolvers<readonly Outcome[]>()
    this.answered = promise
    this.callback = (error, results) => {
      if (error === null || error === undefined) resolve(Array.isArray(results) ? results : [results])
      else reject(error)
    }
  }

  /** Which statement failed, if one did. */
  get completed(): number {
    return this.#completed
  }

  override submit(connection: DriverConnection): null {
    const { stream } = connection
    stream.cork()
    try {
      for (const statement of this.#statements) {
        const one = new GroupedStatement(statement)
        // The driver reports so what it cannot write down as a parameter, in the middle of the conversation.
        one.callback = (error) => stream.destroy(error ?? undefined)
        if (statement.name !== undefined && !one.hasBeenParsed(connection)) this.namesStatements = true
        one.prepare(connection)
      }
      connection.sync()
    } finally {
      stream.uncork()
    }
    return null
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    this.#completed++
    super.handleCommandComplete(message, connection)
  }
}

/** One of a group: everything but the Sync. */
class GroupedStatement extends DriverQuery {
  constructor({ text, values, name }: Prepared) {
    super({ text, values: [...values], ...(name === undefined ? {} : { name }) })
  }

  override _getRows(connection: DriverConnection): void {
    connection.execute({ portal: '' }, true)
  }
}
