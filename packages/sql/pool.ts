import { Pool, type Client, type PoolClient } from 'pg'
import { tooMuch } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { TidyClient } from './client.ts'
import { connectionConfig, type ConnectionOptions } from './connection.ts'
import { databaseUnavailable, reasonOf } from './database-fault.ts'

export interface PoolOptions extends ConnectionOptions {
  readonly poolMax?: number
  /** How many callers may wait for a connection; the next one is refused at once. */
  readonly waitingMax?: number
  readonly log: Log
  readonly metrics?: Metrics
}

export type PooledClient = PoolClient & Pick<Client, 'connection'>

/** A pool that loses broken connections without a crash and counts what it holds. */
export class ConnectionPool {
  readonly keepsPlans: boolean
  readonly #pool: Pool
  readonly #waitingMax: number

  constructor(options: PoolOptions) {
    const { log, poolMax = 10, waitingMax = 1_000 } = options
    this.#pool = new Pool({ ...connectionConfig(options), Client: TidyClient, max: poolMax, pipeline: true })
    this.keepsPlans = options.keepsPlans ?? false
    this.#waitingMax = waitingMax
    showGauges(this.#pool, options)
    // The pool drops an idle connection that broke; without a listener the event would end the process.
    // Once it is ending, a server that stops at the same moment may be quicker than our good-bye: nothing is lost.
    this.#pool.on('error', (error) => {
      if (!this.#pool.ending) log.warn('database connection lost', { error: reasonOf(error) })
    })
    // The same for one that is in use: whoever uses it gets the error from its statement.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  async acquire(): Promise<PooledClient> {
    if (this.#pool.waitingCount >= this.#waitingMax) {
      throw tooMuch('Too many requests wait for the database. Try again in a moment.', {
        code: 'DATABASE_BUSY',
        retryAfterSeconds: 1,
      })
    }
    try {
      return await this.#pool.connect()
    } catch (thrown) {
      throw databaseUnavailable(`no connection: ${reasonOf(thrown)}`, thrown)
    }
  }

  async end(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }
}

function showGauges(pool: Pool, { metrics, applicationName = 'corridor' }: PoolOptions): void {
  if (metrics === undefined) return
  const connections = metrics.gauge('corridor_database_connections', 'Connections of a pool, by what they do.', [
    'pool',
    'state',
  ])
  const waiting = metrics.gauge('corridor_database_waiting', 'Callers that wait for a connection.', ['pool'])
  metrics.whenAsked(() => {
    connections.set({ pool: applicationName, state: 'used' }, pool.totalCount - pool.idleCount)
    connections.set({ pool: applicationName, state: 'idle' }, pool.idleCount)
    waiting.set({ pool: applicationName }, pool.waitingCount)
  })
}
