import type { Clock } from '../clock/clock.ts'
import { bug } from '../faults/fault.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { databaseFault } from './database-fault.ts'
import type { PooledClient } from './pool.ts'
import type { Outcome } from './queryable.ts'
import { isConnectionLoss, isReadOnly } from './sql-error.ts'
import { sql, written, type Statement } from './sql.ts'
import { StatementGroup, type Prepared } from './statement-group.ts'

interface SessionOptions {
  readonly isTransaction?: boolean
  readonly keepsPlans?: boolean
}

/** One connection taken from the pool, and given back exactly once: broken when its state cannot be trusted. */
export class ClientSession {
  readonly #client: PooledClient
  readonly #timer: QueryTimer
  readonly #keepsPlans: boolean
  #isToBegin: boolean
  #busy = false
  #broken = false
  #hasUnknownNames = false
  #isReadOnly = false
  #released = false

  /** BEGIN is sent with the first statement: one that waits for its own answer costs a round trip. */
  constructor(client: PooledClient, timer: QueryTimer, options: SessionOptions = {}) {
    const { isTransaction = false, keepsPlans = false } = options
    this.#client = client
    this.#timer = timer
    this.#isToBegin = isTransaction
    this.#keepsPlans = keepsPlans
  }

  get isBroken(): boolean {
    return this.#broken
  }

  /** A transaction was begun and is not ended. */
  get isOpen(): boolean {
    return !this.#isToBegin
  }

  async execute(statement: Statement): Promise<Outcome> {
    const [outcome] = await this.executeAll([statement])
    if (outcome === undefined) throw bug('a statement has no outcome')
    return outcome
  }

  /** Sends them together. The first that fails is what is thrown; those behind it are not carried out. */
  async executeAll(statements: readonly Statement[]): Promise<readonly Outcome[]> {
    if (statements.length === 0) return []
    if (!this.#isToBegin) return this.#answer(statements)
    this.#isToBegin = false
    const [, ...outcomes] = await this.#answer([begin, ...statements])
    return outcomes
  }

  /** The same, and COMMIT behind them. */
  async commitAll(statements: readonly Statement[]): Promise<readonly Outcome[]> {
    // What is sent together is a transaction also without saying so.
    if (this.#isToBegin) return statements.length === 0 ? [] : this.#answer(statements)
    const outcomes = await this.executeAll([...statements, commit])
    // A transaction in which a statement failed answers COMMIT with success and the tag ROLLBACK.
    if (outcomes.at(-1)?.command !== 'COMMIT') {
      throw bug('a statement failed in a transaction and its error was swallowed, so everything was rolled back')
    }
    return outcomes.slice(0, -1)
  }

  async #answer(statements: readonly Statement[]): Promise<readonly Outcome[]> {
    if (this.#released) throw bug(`a transaction was used after its end: ${statements[0]?.text}`)
    if (this.#busy)
      throw bug(`a transaction runs one statement at a time; await the one before: ${statements[0]?.text}`)
    const stop = this.#timer()
    this.#busy = true
    const group = new StatementGroup(statements.map((statement) => this.#prepared(statement)))
    try {
      this.#client.query(group)
      return await group.answered
    } catch (thrown) {
      if (isConnectionLoss(thrown)) this.#broken = true
      if (isReadOnly(thrown)) this.#isReadOnly = true
      if (group.namesStatements) this.#hasUnknownNames = true
      throw databaseFault(thrown, statements[group.completed])
    } finally {
      this.#busy = false
      stop()
    }
  }

  #prepared(statement: Statement): Prepared {
    const { name, isKept = false } = written(statement)
    return { statement, name: name === undefined || (isKept && !this.#keepsPlans) ? '' : name }
  }

  /**
   * Gives the connection back; one that is still busy or not known to be clean is closed instead. So is one that takes
   * no writes: after a failover the next one leads to the server that does.
   */
  release(options: { broken?: boolean } = {}): void {
    this.#released = true
    const isUnclean = this.#broken || this.#busy || this.#isReadOnly || this.#hasUnknownNames
    this.#client.release(isUnclean || options.broken === true)
  }
}

const begin = sql`begin isolation level read committed`
const commit = sql`commit`

/** Started before a statement; what it returns is called after it. */
export type QueryTimer = () => () => void

export function queryTimer(options: { metrics?: Metrics; applicationName?: string }, clock: Clock): QueryTimer {
  const { metrics, applicationName: pool = 'corridor' } = options
  if (metrics === undefined) return () => () => {}
  const seconds = metrics
    .histogram('corridor_database_query_seconds', 'How long a statement took.', ['pool'])
    .labels({ pool })
  return () => {
    const startedMs = clock.monotonicMs()
    return () => seconds.observe((clock.monotonicMs() - startedMs) / 1_000)
  }
}
