import type { ClientBase } from 'pg'
import type { Clock } from '../clock/clock.ts'
import { assert } from '../faults/fault.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { databaseFault } from './database-fault.ts'
import type { Outcome } from './queryable.ts'
import { isConnectionLoss } from './sql-error.ts'
import { written, type Statement } from './sql.ts'

/** One connection taken from the pool, and given back exactly once: broken when its state cannot be trusted. */
export class ClientSession {
  readonly #client: ClientBase & { release(broken?: boolean): void }
  readonly #timer: QueryTimer
  #busy = false
  #broken = false
  #released = false

  constructor(client: ClientBase & { release(broken?: boolean): void }, timer: QueryTimer) {
    this.#client = client
    this.#timer = timer
  }

  get isBroken(): boolean {
    return this.#broken
  }

  async execute(statement: Statement): Promise<Outcome> {
    assert(!this.#released, `a transaction was used after its end: ${statement.text}`)
    assert(!this.#busy, `a transaction runs one statement at a time; await the one before: ${statement.text}`)
    const stop = this.#timer()
    this.#busy = true
    try {
      const query = queryOf(statement)
      return await this.#client.query(statement.name === undefined ? query : { ...query, name: statement.name })
    } catch (thrown) {
      if (isConnectionLoss(thrown)) this.#broken = true
      throw databaseFault(thrown, statement)
    } finally {
      this.#busy = false
      stop()
    }
  }

  /** Gives the connection back; one that is still busy or not known to be clean is closed instead. */
  release(options: { broken?: boolean } = {}): void {
    this.#released = true
    this.#client.release(this.#broken || this.#busy || options.broken === true)
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
