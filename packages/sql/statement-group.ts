import { Query, type Connection } from 'pg'
import { messagesFor, type Outgoing } from './messages.ts'
import type { Outcome } from './queryable.ts'
import type { Statement } from './sql.ts'

/** What the driver's own classes have and their types do not tell. */
interface NamedStatements {
  /** What the server has. */
  readonly parsedStatements: Readonly<Record<string, string>>
  /** What it was told and has not confirmed. */
  readonly submittedNamedStatements: Record<string, string>
}
interface DriverQueryMembers {
  callback: (error: Error | null | undefined, results: Outcome | Outcome[]) => void
  submit(connection: Connection): null
  handleCommandComplete(message: unknown, connection: Connection): void
}

// Sound for the version of the driver that package.json names; statement-group.test.ts would tell.
const DriverQuery = Query as unknown as new (text: string) => DriverQueryMembers

/** A statement, and the name under which this connection keeps its plan; empty: it is planned each time. */
export interface Prepared {
  readonly statement: Statement
  readonly name: string
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
    super('')
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

  override submit(connection: Connection): null {
    const { stream } = connection
    const known = connection as unknown as NamedStatements
    try {
      const outgoing = this.#statements.map((prepared) => this.#outgoing(prepared, known))
      stream.write(messagesFor(outgoing))
    } catch (thrown) {
      // The driver takes this connection for busy by now: nobody else may get it.
      stream.destroy(thrown instanceof Error ? thrown : undefined)
    }
    return null
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    this.#completed++
    super.handleCommandComplete(message, connection)
  }

  #outgoing({ statement, name }: Prepared, { parsedStatements, submittedNamedStatements }: NamedStatements): Outgoing {
    const { values } = statement
    if (name === '') return { text: statement.text, name, values }
    const isKnown = (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined
    if (isKnown) return { text: undefined, name, values }
    this.namesStatements = true
    const { text } = statement
    submittedNamedStatements[name] = text
    return { text, name, values }
  }
}
