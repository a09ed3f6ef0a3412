import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { testDatabase, type TestDatabase } from '../../testkit/test-database.ts'
import { kitMigrations, migrate, pendingMigrations, type MigrationSet } from './migrate.ts'

let server: TestDatabase
let folder: string

beforeAll(async () => {
  server = await testDatabase()
})

afterAll(() => server.drop())

beforeEach(async () => {
  await query('drop schema if exists consent cascade; drop schema if exists kit cascade')
  folder = await mkdtemp(join(tmpdir(), 'corridor-migrations-'))
})

afterEach(() => rm(folder, { recursive: true }))

const records: Record<string, string> = {
  '0001-records.sql': 'create table consent.records (id int primary key);\ninsert into consent.records values (1);',
  '0002-notes.sql': 'create table consent.notes (id int);\r\nalter table consent.records add note text;',
}

async function consent(files: Record<string, string>): Promise<MigrationSet> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return { owner: 'consent', folder: pathToFileURL(folder) }
}

async function query(text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

const filesOf = (migrations: readonly { file: string }[]) => migrations.map(({ file }) => file)

describe('migrating', () => {
  it('runs the files of all owners in order, tells of each, and does nothing the next time', async () => {
    const sets = [kitMigrations, await consent(records)]
    const told: string[] = []
    expect(filesOf(await pendingMigrations(server.url, sets))).toHaveLength(6)
    await migrate(server.url, sets, { onApplied: ({ file }) => told.push(file) })
    expect(told).toEqual([
      'kit/0001-outbox-and-jobs.sql',
      'kit/0002-payloads-as-they-are-written.sql',
      'kit/0003-payloads-are-not-compressed.sql',
      'kit/0004-lines.sql',
      'consent/0001-records.sql',
      'consent/0002-notes.sql',
    ])
    expect(await migrate(server.url, sets)).toEqual([])
    expect(await pendingMigrations(server.url, sets)).toEqual([])
    expect(await query('select * from kit.migration_lock')).toEqual([])
  })

  it('runs each file once when several copies start at the same moment on an empty database', async () => {
    const sets = [kitMigrations, await consent(records)]
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(server.url, sets)))
    expect(filesOf(applied.flat()).sort()).toEqual([
      'consent/0001-records.sql',
      'consent/0002-notes.sql',
      'kit/0001-outbox-and-jobs.sql',
      'kit/0002-payloads-as-they-are-written.sql',
      'kit/0003-payloads-are-not-compressed.sql',
      'kit/0004-lines.sql',
    ])
    expect(await query('select id from consent.records')).toEqual([{ id: 1 }])
  })

  it('waits for a copy that holds the lock, and takes it over when its lease has passed', async () => {
    const sets = [await consent(records)]
    await migrate(server.url, [kitMigrations])
    await query(`insert into kit.migration_lock values (1, gen_random_uuid(), now() + interval '1 hour')`)
    let waited = 0
    const impatient = { onWaiting: () => waited++, waitMaxMs: 0 }
    await expect(migrate(server.url, sets, impatient)).rejects.toMatchObject({ code: 'MIGRATION_LOCKED' })
    expect(waited).toBe(1)
    await query(`update kit.migration_lock set expires_at = now() - interval '1 second'`)
    expect(await migrate(server.url, sets, impatient)).toHaveLength(2)
  })

  it.each([
    ['waits for a copy that holds the lock', { '0001-records.sql': 'select 1' }, true],
    ['has a long file in work', { '0001-index.sql': 'create table consent.a (); select pg_sleep(600)' }, false],
  ])('ends at a stop while it %s, and leaves nothing of it behind', async (_when, files, isLocked) => {
    await migrate(server.url, [kitMigrations])
    if (isLocked) await query(`insert into kit.migration_lock values (1, gen_random_uuid(), now() + interval '1 hour')`)
    const stopping = new AbortController()
    const reason = new Error('stopped')
    let isWaiting = false
    const deps = { stop: stopping.signal, onWaiting: () => (isWaiting = true) }
    const migrating = migrate(server.url, [await consent(files)], deps).catch((thrown: unknown) => thrown)
    const isAtWork = () =>
      query(`select 1 from pg_stat_activity where application_name = 'corridor migrate'
        and datname = current_database() and query like '%pg_sleep%'`)
    await expect.poll(async () => (isLocked ? isWaiting : (await isAtWork()).length === 1)).toBe(true)
    stopping.abort(reason)
    expect(await migrating).toBe(reason)
    expect(await query(`select 1 from kit.migrations where owner = 'consent'`)).toEqual([])
    expect(await query(`select 1 from pg_namespace where nspname = 'consent'`)).toEqual([])
    expect(await query('select 1 from kit.migration_lock')).toHaveLength(isLocked ? 1 : 0)
  })

  it('ends at a stop while another copy, which holds the lock, has a long file in work', async () => {
    await migrate(server.url, [kitMigrations])
    await query(`insert into kit.migration_lock values (1, gen_random_uuid(), now() + interval '1 hour')`)
    const rival = new Client({ connectionString: server.url })
    await rival.connect()
    await rival.query('begin')
    await rival.query(`update kit.migration_lock set expires_at = now() + interval '1 hour'`)
    const stopping = new AbortController()
    const reason = new Error('stopped')
    const migrating = migrate(server.url, [await consent(records)], { stop: stopping.signal }).catch(
      (thrown: unknown) => thrown,
    )
    const isWaiting = () =>
      query(`select 1 from pg_stat_activity where application_name = 'corridor migrate'
        and datname = current_database() and wait_event_type = 'Lock'`)
    await expect.poll(isWaiting).toHaveLength(1)
    stopping.abort(reason)
    expect(await migrating).toBe(reason)
    await rival.query('commit')
    await rival.end()
    expect(await query('select 1 from kit.migration_lock')).toHaveLength(1)
  })

  it('queues again when its lease was taken between two files', async () => {
    const set = await consent(records)
    let robbed = false
    const clock = {
      ...systemClock,
      // The robber is gone by the time the first one has waited.
      sleep: async () => void (await query('delete from kit.migration_lock')),
    }
    // Callbacks cannot be awaited, so the theft happens inside the first file itself.
    await consent({
      '0001-records.sql': `${records['0001-records.sql']}
        update kit.migration_lock set holder = gen_random_uuid(), expires_at = now() + interval '1 hour';`,
    })
    const applied = await migrate(server.url, [set], { clock, onWaiting: () => (robbed = true) })
    expect([robbed, filesOf(applied)]).toEqual([true, ['consent/0001-records.sql', 'consent/0002-notes.sql']])
  })

  describe('a file whose tables somebody else uses', () => {
    let reader: Client

    beforeEach(async () => {
      await migrate(server.url, [await consent({ '0001-records.sql': records['0001-records.sql'] ?? '' })])
      reader = new Client({ connectionString: server.url })
      await reader.connect()
      await reader.query('begin')
      await reader.query('select from consent.records')
    })

    afterEach(() => reader.end())

    it('makes way for those behind it, and is applied when its turn comes', async () => {
      const told: string[] = []
      const clock = {
        ...systemClock,
        sleep: async () => {
          await query('insert into consent.records values (2)')
          await reader.query('commit')
        },
      }
      await migrate(server.url, [await consent(records)], {
        clock,
        lineMaxMs: 50,
        onBegun: ({ name }) => told.push(`begun ${name}`),
        onMadeWay: ({ name }) => told.push(`made way ${name}`),
        onApplied: ({ name }) => told.push(`applied ${name}`),
      })
      const file = '0002-notes.sql'
      expect(told).toEqual([`begun ${file}`, `made way ${file}`, `begun ${file}`, `applied ${file}`])
      expect(await query('select id, note from consent.records')).toHaveLength(2)
    })

    it('is given up where that takes too long, and nothing of it is there', async () => {
      const impatient = { lineMaxMs: 50, waitMaxMs: 0 }
      await expect(migrate(server.url, [await consent(records)], impatient)).rejects.toMatchObject({
        code: 'MIGRATION_MADE_WAY',
      })
      expect(await query(`select to_regclass('consent.notes')::text as table`)).toEqual([{ table: null }])
      expect(await query('select * from kit.migration_lock')).toEqual([])
    })
  })

  it('leaves nothing of a file that failed, names it and its line, and lets the mended one run at once', async () => {
    const set = await consent({ '0001-records.sql': 'create table consent.records (id int);\nselect nonsense;' })
    await expect(migrate(server.url, [set])).rejects.toThrow(
      'Migration consent/0001-records.sql failed at line 2: column "nonsense" does not exist (SQLSTATE 42703).',
    )
    expect(await query(`select to_regnamespace('consent')::text as schema`)).toEqual([{ schema: null }])
    await consent(records)
    expect(await migrate(server.url, [set], { waitMaxMs: 0 })).toHaveLength(2)
  })

  it.each([
    ['a table without its schema', 'create table records (id int)', 'no schema has been selected to create in'],
    ['a file that commits itself', 'create table consent.a (id int); commit', 'ends its transaction itself'],
  ])('refuses %s', async (_, text, why) => {
    await expect(migrate(server.url, [await consent({ '0001-a.sql': text })])).rejects.toThrow(why)
  })
})

describe('a database that does not fit the files', () => {
  beforeEach(async () => {
    await migrate(server.url, [await consent(records)])
  })

  it.each([
    [
      'a file that was changed after it was applied',
      () => consent({ '0001-records.sql': 'select 1' }),
      'Migration consent/0001-records.sql was changed after it was applied. Restore the file as it was',
    ],
    [
      'a database that is newer than the code',
      () => rm(join(folder, '0002-notes.sql')),
      'The database is newer than this Corridor: it has consent/0002-notes.sql, which this version does not know.',
    ],
    [
      'a file that was left out',
      () => query('delete from kit.migrations where number = 1'),
      'Migration consent/0001-records.sql was never applied to this database, but consent/0002-notes.sql was.',
    ],
  ])('is refused, with one sentence on what to do: %s', async (_, spoil, sentence) => {
    await spoil()
    const set = { owner: 'consent', folder: pathToFileURL(folder) }
    await expect(migrate(server.url, [set])).rejects.toThrow(sentence)
    await expect(pendingMigrations(server.url, [set])).rejects.toThrow(sentence)
  })

  it('does not mind line ends of another system, nor owners it was not asked about', async () => {
    const set = await consent({ '0001-records.sql': records['0001-records.sql']?.replace('\n', '\r\n') ?? '' })
    expect(await migrate(server.url, [set])).toEqual([])
    expect(filesOf(await migrate(server.url, [kitMigrations]))).toEqual([
      'kit/0001-outbox-and-jobs.sql',
      'kit/0002-payloads-as-they-are-written.sql',
      'kit/0003-payloads-are-not-compressed.sql',
      'kit/0004-lines.sql',
    ])
  })
})
