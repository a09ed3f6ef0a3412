import { lookup as askSystem } from 'node:dns'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { silentLog } from '../log/log.ts'
import { lastKnownLookup } from '../names/last-known-lookup.ts'
import { capturedLog } from '../testkit/captured-log.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { openDatabase, type Database } from './database.ts'
import { hearNotices, tellNotices } from './notices.ts'
import { sql } from './sql.ts'

const channel = 'corridor_patient_merges'
let server: TestDatabase
let database: Database
let isNameServerAway = false

/** Whatever the name, it is the database's, as long as the name server is there. */
const lookup = lastKnownLookup({
  ask: (_hostname, options, answer) => {
    if (isNameServerAway) answer(Object.assign(new Error('no name server'), { code: 'EAI_AGAIN' }), [])
    else askSystem(new URL(server.url).hostname, { ...options, all: true }, answer)
  },
})

beforeAll(async () => {
  server = await testDatabase()
  // Nobody waits here for a connection to be tried again.
  const clock = { ...systemClock, sleep: (_ms: number, signal?: AbortSignal) => systemClock.sleep(10, signal) }
  const url = server.url.replace(new URL(server.url).host, `database.example:${new URL(server.url).port}`)
  database = await openDatabase({ url, lookup, poolMax: 2, clock, log: silentLog })
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

const sessions = () =>
  database.many<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where application_name = 'corridor notices' and datname = current_database() and query like 'listen%' and state = 'idle'`)

const listening = () => waitFor(async () => (await sessions()).length === 1, { what: 'a session that listens' })

it('are heard once they are durable, and never when they were taken back', async () => {
  const heard: string[] = []
  const hearing = database.hear(channel, (text) => heard.push(text))
  await listening()
  const taken = database.transaction(async (tx) => {
    await tx.run(tellNotices(channel, ['taken back']))
    throw new Error('no')
  })
  await expect(taken).rejects.toThrow('no')
  await database.transaction(async (tx) => {
    await tx.run(tellNotices(channel, ['first', 'second', 'first']))
    expect(heard).toEqual([])
  })
  await waitFor(() => heard.length >= 2, { what: 'two notices' })
  expect(heard).toEqual(['first', 'second'])
  await hearing.end()
})

it('are heard again after the connection was lost, also while no name server answers, and no more after the end, which leaves no session', async () => {
  const heard: string[] = []
  const hearing = database.hear(channel, (text) => heard.push(text))
  await listening()
  const [lost] = await sessions()
  isNameServerAway = true
  await database.many(sql`select pg_terminate_backend(${lost?.pid ?? 0}::int)`)
  await waitFor(
    async () => {
      await database.run(tellNotices(channel, ['again']))
      return heard.includes('again')
    },
    { what: 'a notice over another connection' },
  )
  isNameServerAway = false
  await hearing.end()
  await waitFor(async () => (await sessions()).length === 0, { what: 'no session' })
  heard.length = 0
  await database.run(tellNotices(channel, ['too late']))
  expect(heard).toEqual([])
})

it('end at once and without a word while a database that does not answer is called', async () => {
  await using silent = createServer((socket) => void socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `postgres://corridor@127.0.0.1:${(silent.address() as AddressInfo).port}/corridor`
  const { log, lines } = capturedLog()
  const hearing = hearNotices(channel, () => {}, { url, connectTimeoutMs: 3_000, clock: systemClock, log })
  await once(silent, 'connection')
  await hearing.end()
  expect(lines).toEqual([])
})
