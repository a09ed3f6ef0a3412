import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { systemClock } from '../../clock/clock.ts'
import { systemIds } from '../../clock/ids.ts'
import { silentLog } from '../../log/log.ts'
import { serviceUser } from '../../postgres/addresses.ts'
import { ensurePostgres } from '../../postgres/ensure.ts'
import { holdDataDir } from '../../postgres/hold.ts'
import { layoutOf, type Layout } from '../../postgres/layout.ts'
import { stopLeftover } from '../../postgres/fixtures/stop-leftover.ts'
import { dropRun } from '../fresh-database.ts'
import { keysOfTheRun } from '../keys-of-the-run.ts'
import { memoryFolder, sharedMemory } from '../memory-folder.ts'
import './provided.ts'

/**
 * One PostgreSQL for the whole run: the one of CORRIDOR_TEST_DATABASE_URL, else an embedded one in a temporary
 * directory that forces nothing to disk, in memory where there is room. What the run made is gone afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = `${databasePrefix}${systemIds.uuid().slice(0, 8)}`
  const given = process.env['CORRIDOR_TEST_DATABASE_URL']
  const server = given === undefined ? await startThrowaway() : { url: given, stop: () => dropRun({ url: given, run }) }
  project.provide('postgresUrl', server.url)
  project.provide('postgresRun', run)
  return async () => {
    await server.stop()
    await rm(keysOfTheRun(run), { recursive: true, force: true })
  }
}

const databasePrefix = 'corridor_test_'

async function startThrowaway() {
  for (const folder of [tmpdir(), sharedMemory]) await removeAbandoned(folder)
  const dataDir = await mkdtemp(join(await memoryFolder(), folderPrefix))
  const held = await holdDataDir(dataDir)
  const postgres = await ensurePostgres({ dataDir, log: silentLog, durable: false })
  await prepareServer(postgres.superuserUrl, layoutOf(dataDir))
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await held.release()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const folderPrefix = 'corridor-test-'

/** A run that was killed left its server and its folder: nobody holds them any more. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const dataDir = join(folder, name)
    if (!name.startsWith(folderPrefix) || !(await isOldAndOurs(dataDir))) continue
    const held = await holdDataDir(dataDir).catch(() => undefined)
    if (held === undefined) continue
    await stopLeftover(layoutOf(dataDir).cluster, { log: silentLog })
    await held.release()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A folder of this minute may belong to a run that is just about to hold it. */
async function isOldAndOurs(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || found.uid !== process.getuid?.()) return false
  return systemClock.now().getTime() - found.birthtimeMs > 60_000
}

/**
 * Tests run as the services' own user, so that a right it lacks in production is missed in a test too. Who connects to a
 * database of the tests is not asked for the password: that would be a third of a connection, of which a run makes
 * thousands. At the server's own database it is asked for.
 */
async function prepareServer(superuserUrl: string, { cluster }: Layout): Promise<void> {
  const file = join(cluster, 'pg_hba.conf')
  const rules = await readFile(file, 'utf8')
  await writeFile(file, `host /^${databasePrefix} ${serviceUser} 127.0.0.1/32 trust\n${rules}`)
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`alter role ${serviceUser} createdb`)
  await client.query('select pg_reload_conf()')
  await client.end()
}
