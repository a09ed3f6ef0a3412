import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from 'pg'
import { silentLog } from '../log/log.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { connectionConfig } from './connection.ts'
import { openDatabase } from './database.ts'
import { lostSettings } from './lost-settings.ts'
import { sql } from './sql.ts'
import { GoBetween } from './testing/go-between.ts'
import { fatalError, withoutOptions } from './testing/wire-messages.ts'

let server: TestDatabase
beforeAll(async () => {
  server = await testDatabase()
})
afterAll(() => server?.drop())

const lostAt = async (url: string) => {
  const database = await openDatabase({ url, poolMax: 4, log: silentLog })
  try {
    return await lostSettings(database, {})
  } finally {
    await database.close()
  }
}

it('sessions are as they were told', async () => {
  expect(await lostAt(server.url)).toEqual([])
})

it('sessions are as they were told also where the address has options of its own, which count beside', async () => {
  const query = 'options=-c%20TimeZone%3DAfrica%2FNairobi%20-c%20work_mem%3D8MB'
  const url = `${server.url}${server.url.includes('?') ? '&' : '?'}${query}`
  expect(await lostAt(url)).toEqual([])
  const database = await openDatabase({ url, poolMax: 1, log: silentLog })
  expect(await database.one(sql`select current_setting('work_mem') as it`)).toEqual({ it: '8MB' })
  await database.close()
})

it('sessions are as they were told also where the address names what they are told', async () => {
  const query = 'statement_timeout=20&idle_in_transaction_session_timeout=20'
  expect(await lostAt(`${server.url}${server.url.includes('?') ? '&' : '?'}${query}`)).toEqual([])
})

it('days and instants are read as ever where the database writes them in another way', async () => {
  await using german = await testDatabase()
  const client = new Client(connectionConfig({ url: german.url }))
  await client.connect()
  await client.query(`do $$ begin
    execute format('alter database %I set datestyle = ''German''', current_database()); end $$`)
  await client.end()
  const database = await openDatabase({ url: german.url, poolMax: 1, log: silentLog })
  const at = new Date('2026-03-04T05:06:07.123Z')
  expect(await database.one(sql`select ${at}::timestamptz as at, '2026-03-04'::date as day`)).toEqual({
    ...{ at, day: '2026-03-04' },
  })
  await database.close()
})

it('a limit of the user, or of the database, ends no migration', async () => {
  await using limited = await testDatabase()
  const client = new Client(connectionConfig({ url: limited.url, statementTimeoutMs: 0 }))
  await client.connect()
  await client.query(`do $$ begin
    execute format('alter database %I set statement_timeout = 20', current_database()); end $$`)
  await client.end()
  const migrating = new Client(connectionConfig({ url: limited.url, statementTimeoutMs: 0 }))
  await migrating.connect()
  expect((await migrating.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  await migrating.end()
})

it('what a pooler has dropped is named', async () => {
  await using pooler = await GoBetween.before(server.url, { startup: withoutOptions })
  expect(await lostAt(pooler.urlOf(server.url))).toEqual(
    expect.arrayContaining([
      'statement_timeout is 0 and not 30000',
      'idle_in_transaction_session_timeout is 0 and not 60000',
      'plan_cache_mode is auto and not force_generic_plan',
      'enable_seqscan is on and not off',
    ]),
  )
})

it('a pooler that refuses what it does not know is told of as that, and not as a server that is down', async () => {
  // What PgBouncer 1.18 sends.
  const refusal = fatalError('08P01', 'unsupported startup parameter: options')
  const pooler = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(refusal))
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  // Sound: it listens on a TCP port.
  const { port } = pooler.address() as AddressInfo
  await expect(openDatabase({ url: `postgres://a@127.0.0.1:${port}/a`, log: silentLog })).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    shown: expect.stringMatching(
      / refuses what a session is told \(unsupported startup parameter: options\)\. .*pooler/,
    ),
  })
  pooler.close()
})
