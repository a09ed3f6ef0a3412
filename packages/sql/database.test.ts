import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../faults/fault.ts'
import { silentLog } from '../log/log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { startFaultProxy } from '../testkit/fault-proxy.ts'
import { testDatabase, testServer, type TestDatabase } from '../testkit/test-database.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { openDatabase, type Database } from './database.ts'
import { migrate } from './migrate/migrate.ts'
import { sqlErrorOf } from './sql-error.ts'
import { json, named, sql } from './sql.ts'
import { GoBetween } from './testing/go-between.ts'
import { fatalError, readyForQuery } from './testing/wire-messages.ts'

let server: TestDatabase
let database: Database

beforeAll(async () => {
  server = await testDatabase()
  database = await openDatabase({ url: server.url, poolMax: 4, statementTimeoutMs: 5_000, log: silentLog })
  await database.run(sql`create table person (id int primary key, name text, version int not null default 1)`)
  await database.run(sql`insert into person (id) values (1)`)
})

afterAll(async () => {
  await database.close()
  await server.drop()
})

describe('a query', () => {
  it('answers with rows, one row, perhaps a row, or a count', async () => {
    expect(await database.many(sql`select n from generate_series(1, ${3}::int) as n`)).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ])
    expect(await database.one(named('one', sql`select ${'x'}::text as it`))).toEqual({ it: 'x' })
    expect(await database.maybe(sql`select 1 where false`)).toBeUndefined()
    expect(await database.run(sql`insert into person select n, 'many' from generate_series(100, 104) as n`)).toBe(5)
  })

  it('takes anything but exactly one row for a bug where one is expected', async () => {
    await expect(database.one(sql`select 1 where false`)).rejects.toMatchObject({ kind: 'bug' })
    await expect(database.one(sql`values (1), (2)`)).rejects.toMatchObject({ kind: 'bug' })
    await expect(database.maybe(sql`values (1), (2)`)).rejects.toMatchObject({ kind: 'bug' })
  })

  it.each([
    ['bigint stays text', sql`select 9007199254740993::bigint as it`, '9007199254740993'],
    ['timestamptz is a Date', sql`select '2026-01-01T10:00:00+02'::timestamptz as it`, new Date('2026-01-01T08:00Z')],
    ['a date stays what it says', sql`select '1955-03-27'::date as it`, '1955-03-27'],
    ['dates in arrays too', sql`select '{1955-03-27}'::date[] as it`, ['1955-03-27']],
    ['jsonb is parsed', sql`select ${json({ a: [1, null] })}::jsonb as it`, { a: [1, null] }],
    [
      'arrays go in and come out',
      sql`select ${['a"b', 'c\\d', null, '{}']}::text[] as it`,
      ['a"b', 'c\\d', null, '{}'],
    ],
    ['bytes go in and come out', sql`select ${Buffer.from([0, 255])}::bytea as it`, Buffer.from([0, 255])],
    ['instants go in and come out', sql`select ${new Date(0)}::timestamptz as it`, new Date(0)],
    ['the session is in UTC', sql`select current_setting('TimeZone') as it`, 'UTC'],
  ])('%s', async (_, statement, expected) => {
    expect(await database.one(statement)).toEqual({ it: expected })
  })

  it.each([
    ['a key that exists', sql`insert into person (id) values (1)`, { kind: 'conflict', code: 'ALREADY_EXISTS' }],
    ['a value of the wrong form', sql`select ${'Amina'}::uuid`, { kind: 'incorrect', code: 'VALUE_REFUSED' }],
    ['text with a zero byte', sql`select ${'a\u0000b'}::text`, { kind: 'incorrect', code: 'VALUE_REFUSED' }],
    ['wrong SQL', sql`select nothing from nowhere`, { kind: 'bug' }],
  ])('refuses %s without repeating it', async (_, statement, fault) => {
    const refused = await database.run(statement).catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject(fault)
    const { logged, cause } = refused as Fault
    expect(JSON.stringify([refused, String(refused), logged, String(cause)])).not.toContain('Amina')
  })

  it('names the constraint that was broken', async () => {
    const thrown = await database.run(sql`insert into person (id) values (1)`).catch((fault: unknown) => fault)
    expect(sqlErrorOf(thrown)?.constraint).toBe('person_pkey')
  })

  it('is cut off when it takes too long', async () => {
    const hasty = await openDatabase({ url: server.url, statementTimeoutMs: 20, log: silentLog })
    await expect(hasty.run(sql`select pg_sleep(20)`)).rejects.toMatchObject({ code: 'DATABASE_TIMEOUT' })
    await hasty.close()
  })

  it('is one statement, never two', async () => {
    await expect(database.run(sql`select 1; select 2`)).rejects.toMatchObject({ kind: 'bug' })
  })

  it('says that there is no room, and that only to whoever reads the log in the words of the server', async () => {
    const full = database.run(sql`do $$ begin
      raise exception 'could not extend file' using errcode = '53100'; end $$`)
    await expect(full).rejects.toMatchObject({
      ...{ kind: 'unavailable', code: 'DATABASE_FULL', message: expect.stringContaining('has no room') as string },
      logged: expect.stringContaining('could not extend file (SQLSTATE 53100)') as string,
    })
  })

  it('refuses a statement that the template did not make', async () => {
    await expect(database.run({ text: 'drop table person', values: [] })).rejects.toMatchObject({ kind: 'bug' })
  })
})

describe('a pool', () => {
  it('waits for a free connection no longer than it was told to', async () => {
    // Opening is held to the same time, and a busy server may take longer: then it is opened again.
    const open = () => openDatabase({ url: server.url, poolMax: 1, connectTimeoutMs: 50, log: silentLog })
    const narrow = await waitFor(open, { what: 'a connection within 50 ms' })
    const refused = narrow.transaction(() => narrow.run(sql`select 1`))
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable', code: 'DATABASE_UNAVAILABLE' })
    await narrow.close()
  })

  it('refuses at once when too many wait', async () => {
    const narrow = await openDatabase({ url: server.url, poolMax: 1, waitingMax: 1, log: silentLog })
    const [waited, refused] = await narrow.transaction(async () => {
      const waits = narrow.one(sql`select 1 as it`)
      return [waits.then((row) => row), await narrow.run(sql`select 1`).catch((fault: unknown) => fault)]
    })
    expect(refused).toMatchObject({ kind: 'too-much', code: 'DATABASE_BUSY' })
    expect(await waited).toEqual({ it: 1 })
    await narrow.close()
  })

  it('survives the loss of its idle connections', async () => {
    const lost = await openDatabase({ url: server.url, poolMax: 1, applicationName: 'idle', log: silentLog })
    await terminate('idle')
    expect(await lost.transaction((tx) => tx.one(sql`select 1 as it`))).toEqual({ it: 1 })
    await lost.close()
  })

  it('survives a server that stops in the breath in which it lets somebody in', async () => {
    const lastWords = fatalError('57P01', 'terminating connection due to unexpected postmaster exit')
    let isStopping = false
    await using goBetween = await GoBetween.before(server.url, {
      answer: (piece) => (isStopping && piece.includes(readyForQuery) ? Buffer.concat([piece, lastWords]) : piece),
    })
    const url = goBetween.urlOf(server.url)
    const stopped = await openDatabase({ url, poolMax: 1, applicationName: 'stopped', log: silentLog })
    await terminate('stopped')
    isStopping = true
    await expect(stopped.run(sql`select 1`)).rejects.toMatchObject({ kind: 'unavailable' })
    isStopping = false
    expect(await stopped.transaction((tx) => tx.one(sql`select 1 as it`))).toEqual({ it: 1 })
    await stopped.close()
  })

  it('leaves a connection that takes no writes', async () => {
    const failedOver = await openDatabase({ url: server.url, poolMax: 1, log: silentLog })
    await failedOver.run(sql`set default_transaction_read_only = on`)
    const write = () => failedOver.run(sql`create table if not exists written (id int)`)
    await expect(write()).rejects.toMatchObject({ kind: 'unavailable', code: 'DATABASE_UNAVAILABLE' })
    expect(await write()).toBe(0)
    await failedOver.close()
  })

  it('counts its connections and times its queries', async () => {
    const metrics = new Metrics()
    const counted = await openDatabase({ url: server.url, applicationName: 'counted', log: silentLog, metrics })
    await counted.run(sql`select 1`)
    const text = await metrics.text()
    expect(text).toContain('corridor_database_connections{pool="counted",state="idle"} 1')
    expect(text).toContain('corridor_database_waiting{pool="counted"} 0')
    expect(text).toContain('corridor_database_query_seconds_count{pool="counted"} 1')
    await counted.close()
  })
})

describe('opening a database', () => {
  const secret = 'hunter2-canary'
  // Where a password is asked for, which it is not at the databases of tests.
  const { url: guarded } = testServer()
  const openAt = (change: (url: URL) => void) => {
    const url = new URL(guarded)
    change(url)
    return openDatabase({ url: url.href, log: silentLog }).catch((fault: unknown) => fault)
  }

  it('says what is wrong in one sentence, and never the password', async () => {
    const refusals = [
      await openAt((url) => Object.assign(url, { username: 'stranger', password: secret })),
      await openAt((url) => Object.assign(url, { password: '' })),
      await openAt((url) => (url.pathname = '/nowhere')),
      await openAt((url) => Object.assign(url, { port: '1', password: secret })),
      await openDatabase({ url: `mysql://root:${secret}@localhost/x`, log: silentLog }).catch(
        (fault: unknown) => fault,
      ),
      await openDatabase({ url: `postgres://u:${secret}@[bad`, log: silentLog }).catch((fault: unknown) => fault),
      await openDatabase({ url: `postgres://u:${secret}#1@localhost/x`, log: silentLog }).catch(
        (fault: unknown) => fault,
      ),
    ].map((fault) => fault as Error)
    expect(refusals.map(({ message }) => message.replace(/:\d+/, ':PORT'))).toEqual([
      expect.stringMatching(
        /^The database at .*:PORT refused user stranger\. Correct the user and password in database.url\.$/,
      ),
      expect.stringMatching(
        /^The database at .*:PORT wants a password of user \w+, and database.url has none\. Write it there\.$/,
      ),
      expect.stringMatching(/^The database at .*:PORT has no database named nowhere\. Create it or correct/),
      expect.stringMatching(/^The database at .*:PORT cannot be reached \(.*ECONNREFUSED.*\)\. Start it or correct/),
      expect.stringMatching(/^database\.url is not a PostgreSQL address\./),
      expect.stringMatching(/^database\.url is not a PostgreSQL address\./),
      expect.stringContaining('in the password write %23 for #'),
    ])
    expect(JSON.stringify(refusals.map((fault) => [fault, fault.stack, fault.cause]))).not.toContain(secret)
  })

  it('leaves no connection behind where it is refused, or has no password to give', async () => {
    const { hostname, port } = new URL(guarded)
    await using proxy = await startFaultProxy({ host: hostname, port: Number(port) })
    const proxied = { host: `${proxy.host}:${proxy.port}` }
    for (const change of [{ password: '' }, { password: secret }, { pathname: '/nowhere' }]) {
      const { href: url } = Object.assign(new URL(guarded), proxied, change)
      for (const open of [() => openDatabase({ url, log: silentLog }), () => migrate(url, [])]) {
        await expect(open()).rejects.toMatchObject({ kind: 'unavailable' })
        await waitFor(() => proxy.connections === 0, { what: 'the connection to be closed' })
      }
    }
    expect(proxy.counts.accepted).toBe(6)
  })
})

async function terminate(applicationName: string): Promise<void> {
  await database.run(
    sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where application_name = ${applicationName} and datname = current_database()`,
  )
}
