import { afterAll, beforeAll, beforeEach } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { kitDatabase, type KitDatabase } from './kit-database.ts'

interface JobsWorld {
  readonly url: string
  readonly database: Database
  readonly clock: SimulatedClock
}

/** A database for the tests of a file, and for each of them no jobs and a clock at its beginning. */
export function jobsWorld(): JobsWorld {
  let server: KitDatabase
  let clock: SimulatedClock
  beforeAll(async () => {
    server = await kitDatabase()
  })
  beforeEach(async () => {
    await server.database.run(sql`truncate kit.jobs`)
    clock = new SimulatedClock()
  })
  afterAll(() => server.drop())
  return {
    get url() {
      return server.url
    },
    get database() {
      return server.database
    },
    get clock() {
      return clock
    },
  }
}
