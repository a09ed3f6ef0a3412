import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { systemIds } from '../../clock/ids.ts'
import { silentLog } from '../../log/log.ts'
import { serviceUser } from '../../postgres/addresses.ts'
import { ensurePostgres } from '../../postgres/ensure.ts'
import { dropRun } from '../fresh-database.ts'
import './provided.ts'

/**
 * One PostgreSQL for the whole run: the one of CORRIDOR_TEST_DATABASE_URL, else an embedded one in a temporary
 * directory that forces nothing to disk. What the run made is gone afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = `corridor_test_${systemIds.uuid().slice(0, 8)}`
  const given = process.env['CORRIDOR_TEST_DATABASE_URL']
  const server = given === undefined ? await startThrowaway() : { url: given, stop: () => dropRun({ url: given, run }) }
  project.provide('postgresUrl', server.url)
  project.provide('postgresRun', run)
  return server.stop
}

async function startThrowaway() {
  const dataDir = await mkdtemp(join(tmpdir(), 'corridor-test-'))
  const postgres = await ensurePostgres({ dataDir, log: silentLog, durable: false })
  await letCreateDatabases(postgres.superuserUrl)
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Tests run as the services' own user, so that a right it lacks in production is missed in a test too. */
async function letCreateDatabases(superuserUrl: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`alter role ${serviceUser} createdb`)
  await client.end()
}
