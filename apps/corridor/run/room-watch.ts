import type { Clock } from '../../../packages/clock/clock.ts'
import type { Fault } from '../../../packages/faults/fault.ts'
import { isOutOfRoom } from '../../../packages/sql/database-fault.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { sqlErrorOf } from '../../../packages/sql/sql-error.ts'

/** How long one refusal counts, and how often it is tried whether there is room again. */
const holdMs = 1_000

export interface RoomWatch {
  /** The same database; what it refuses for want of room is noted. */
  readonly database: Database
  /** Throws from the first such refusal until there is room again. Without one it costs nothing. */
  readonly check: () => Promise<void>
}

/**
 * A full disk refuses what needs a new page and takes everything else, so neither a question nor a small change finds it
 * out: the work itself does.
 */
export function watchRoom(database: Database, { clock }: { readonly clock: Clock }): RoomWatch {
  let refused: { readonly fault: Fault; readonly untilMs: number } | undefined
  const watched = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((thrown: unknown) => {
      if (isOutOfRoom(thrown)) refused = { fault: thrown, untilMs: clock.monotonicMs() + holdMs }
      throw thrown
    })
  return {
    database: {
      many: (statement) => watched(database.many(statement)),
      one: (statement) => watched(database.one(statement)),
      maybe: (statement) => watched(database.maybe(statement)),
      run: (statement) => watched(database.run(statement)),
      transaction: (work, options) => watched(database.transaction(work, options)),
      hear: (channel, heard) => database.hear(channel, heard),
      close: () => database.close(),
    },
    async check() {
      const before = refused
      if (before === undefined) return
      if (clock.monotonicMs() < before.untilMs) throw before.fault
      await watched(tryRoom(database))
      if (refused === before) refused = undefined
    },
  }
}

/**
 * Takes a megabyte where the database lies and gives it back. Throws when there is none; who may not make temporary
 * tables cannot ask.
 */
export async function tryRoom(database: Database): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await tx.run(sql`set local temp_tablespaces = ''`)
      await tx.run(sql`create temporary table corridor_room on commit drop as select generate_series(1, 30000) as id`)
    })
  } catch (thrown) {
    if (sqlErrorOf(thrown)?.sqlState !== '42501') throw thrown
  }
}
