import type { Clock } from '../clock/clock.ts'
import { assert, bug } from '../faults/fault.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { databaseFault } from './database-fault.ts'
import type { PooledClient } from './pool.ts'
import type { Outcome } from './queryable.ts'
import { isConnectionLoss, isReadOnly } from './sql-error.ts'
import { written, type Statement } from './sql.ts'

export interface SessionOptions {
  readonly opening?: string
  readonly keepsPlans?: boolean
}

/** One connection taken from the pool, and given back exactly once: broken when its state cannot be trusted. */
export class ClientSession {
  readonly #client: PooledClient
  readonly #timer: QueryTimer
  readonly #keepsPlans: boolean
  #opening: string | undefined
  #busy = false
  #broken = false
  #isReadOnly = false
  #released = false

  /** `opening` is sent with the first statement: a BEGIN that waits for its own answer costs a round trip. */
  constructor(client: PooledClient, timer: QueryTimer, { opening, keepsPlans = false }: SessionOptions = {}) {
    this.#client = client
    this.#timer = timer
    this.#opening = opening
    this.#keepsPlans = keepsPlans
  }

  get isBroken(): boolean {
    return this.#broken
  }

  /** Something was sent. */
  get isOpen(): boolean {
    return this.#opening === undefined
  }

  async execute(statement: Statement): Promise<Outcome> {
    const [outcome] = await this.executeAll([statement])
    if (outcome === undefined) throw bug('a statement has no outcome')
    return outcome
  }

  /** Sends them together. The first that fails is what is thrown; those behind it fail because it did. */
  async executeAll(statements: readonly Statement[]): Promise<Outcome[]> {
    const [first] = statements
    if (first === undefined) return []
    assert(!this.#released, `a transaction was used after its end: ${first.text}`)
    assert(!this.#busy, `a transaction runs one statement at a time; await the one before: ${first.text}`)
    const stop = this.#timer()
    this.#busy = true
    try {
      return await this.#settled(this.#send(statements), statements)
    } finally {
      this.#busy = false
      stop()
    }
  }

  async #settled(sent: readonly Promise<Outcome>[], statements: readonly Statement[]): Promise<Outcome[]> {
    const answers = await Promise.allSettled(sent)
    const failed = answers.findIndex(({ status }) => status === 'rejected')
    const reason: unknown = answers[failed]?.status === 'rejected' ? answers[failed].reason : undefined
    if (answers.some((answer) => answer.status === 'rejected' && isConnectionLoss(answer.reason))) this.#broken = true
    if (answers.some((answer) => answer.status === 'rejected' && isReadOnly(answer.reason))) this.#isReadOnly = true
    if (failed >= 0) throw databaseFault(reason, statements[failed - (sent.length - statements.length)])
    // Sound: none was rejected. What was sent before the statements has no place among their outcomes.
    return (answers as PromiseFulfilledResult<Outcome>[]).slice(-statements.length).map(({ value }) => value)
  }

  /** In one packet where they fit. */
  #send(statements: readonly Statement[]): Promise<Outcome>[] {
    const { stream } = this.#client.connection
    const opening = this.#opening
    this.#opening = undefined
    stream.cork()
    try {
      const opened = opening === undefined ? [] : [this.#client.query(opening)]
      return [...opened, ...statements.map((statement) => this.#client.query(this.#queryOf(statement)))]
    } finally {
      stream.uncork()
    }
  }

  #queryOf(statement: Statement) {
    const query = queryOf(statement)
    const { name, isKept = false } = statement
    return name === undefined || (isKept && !this.#keepsPlans) ? query : { ...query, name }
  }

  /**
   * Gives the connection back; one that is still busy or not known to be clean is closed instead. So is one that takes
   * no writes: after a failover the next one leads to the server that does.
   */
  release(options: { broken?: boolean } = {}): void {
    this.#released = true
    this.#client.release(this.#broken || this.#busy || this.#isReadOnly || options.broken === true)
  }
}

/** The extended protocol also without parameters: there the server takes one statement and no second behind it. */
export function queryOf(statement: Statement) {
  const { text, values } = written(statement)
  return { text, values: [...values], queryMode: 'extended' }
}

/** Started before a statement; what it returns is called after it. */
export type QueryTimer = () => () => void

export function queryTimer(options: { metrics?: Metrics; applicationName?: string }, clock: Clock): QueryTimer {
  const { metrics, applicationName: pool = 'corridor' } = options
  if (metrics === undefined) return () => () => {}
  const seconds = metrics.histogram('corridor_database_query_seconds', 'How long a statement took.', ['pool'])
  return () => {
    const startedMs = clock.monotonicMs()
    return () => seconds.observe({ pool }, (clock.monotonicMs() - startedMs) / 1_000)
  }
}
