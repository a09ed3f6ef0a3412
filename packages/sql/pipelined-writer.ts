import { Client } from 'pg'
import { systemClock, type Clock } from '../clock/clock.ts'
import { systemRandom, type Random } from '../clock/ids.ts'
import { assert, unavailable } from '../faults/fault.ts'
import { connectionConfig, type ConnectionOptions } from './connection.ts'
import { databaseFault, databaseUnavailable, outcomeUnknown, reasonOf } from './database-fault.ts'
import type { Outcome } from './queryable.ts'
import { retrying } from './retry.ts'
import { isConnectionLoss } from './sql-error.ts'
import { queryOf } from './session.ts'
import type { Statement } from './sql.ts'

export interface PipelinedWriterOptions extends ConnectionOptions {
  /** As many as the batcher has writers. */
  readonly connections?: number
  readonly clock?: Clock
  readonly random?: Random
}

/**
 * Runs transactions whose statements are all known beforehand in one round trip each, on connections of its own. They
 * connect when first needed and again after a loss. Names are dropped: see README.md, "the planner trap".
 */
export class PipelinedWriter {
  readonly #options: PipelinedWriterOptions
  readonly #lines: Line[]
  #closed = false

  constructor(options: PipelinedWriterOptions) {
    this.#options = options
    this.#lines = Array.from({ length: options.connections ?? 2 }, () => new Line(options))
  }

  /** Resolves once the transaction is durable, with what each statement gave; rejects when none of it happened. */
  async transaction(statements: readonly Statement[]): Promise<Outcome[]> {
    if (this.#closed) throw unavailable('This service is stopping. Try again in a moment.', { code: 'STOPPING' })
    const { clock = systemClock, random = systemRandom } = this.#options
    return retrying(() => this.#leastBusy().transaction(statements), { clock, random })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#lines.map((line) => line.close()))
  }

  #leastBusy(): Line {
    return this.#lines.reduce((best, line) => (line.inFlight < best.inFlight ? line : best))
  }
}

/** One connection. Several transactions may be under way on it; each is written as a whole, so they cannot mix. */
class Line {
  readonly #options: ConnectionOptions
  #client: Promise<Client> | undefined
  inFlight = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  async transaction(statements: readonly Statement[]): Promise<Outcome[]> {
    this.inFlight++
    try {
      const client = await this.#connected()
      return await pipeline(client, statements)
    } finally {
      this.inFlight--
    }
  }

  async close(): Promise<void> {
    // A connection that could not be made needs no end.
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    await client?.end()
  }

  #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    // Only this connection is forgotten: its last event may come when the next one is already there.
    const forget = () => {
      if (this.#client === connecting) this.#client = undefined
    }
    const connecting = connect(this.#options, forget)
    this.#client = connecting
    return connecting
  }
}

async function connect(options: ConnectionOptions, onLost: () => void): Promise<Client> {
  const client = new Client({ ...connectionConfig(options), pipeline: true })
  client.on('error', onLost)
  client.on('end', onLost)
  try {
    await client.connect()
    return client
  } catch (thrown) {
    onLost()
    throw databaseUnavailable(`no connection: ${reasonOf(thrown)}`, thrown)
  }
}

async function pipeline(client: Client, statements: readonly Statement[]): Promise<Outcome[]> {
  const queries = statements.map((statement) => queryOf(statement))
  // Everything is queued in this one turn, so no other transaction's statement can come in between.
  const [begun, ...rest] = await Promise.allSettled([
    client.query('begin'),
    ...queries.map((query) => client.query(query)),
    client.query('commit'),
  ])
  const ended = rest.pop()
  // The first failure is the reason; what follows it only says that the transaction is aborted.
  const failed = [begun, ...rest, ended].findIndex((outcome) => outcome?.status === 'rejected')
  if (failed >= 0) throw failure([begun, ...rest, ended][failed], statements[failed - 1])
  assert(ended?.status === 'fulfilled' && ended.value.command === 'COMMIT', 'a pipelined transaction was rolled back')
  return rest.map((outcome) => {
    assert(outcome.status === 'fulfilled', 'a pipelined statement failed unseen')
    return outcome.value
  })
}

/** COMMIT was sent with the rest, so a connection lost anywhere leaves it open whether it was carried out. */
function failure(outcome: PromiseSettledResult<unknown> | undefined, statement: Statement | undefined): unknown {
  const reason: unknown = outcome?.status === 'rejected' ? outcome.reason : undefined
  return isConnectionLoss(reason) ? outcomeUnknown(reason) : databaseFault(reason, statement)
}
