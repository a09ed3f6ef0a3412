import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { MovedClock } from '../../packages/testkit/moved-clock.ts'
import { Person } from './crowd/person.ts'
import { Writer } from './crowd/writer.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const fromNow = (ms: number) => new Date(systemClock.now().getTime() + ms)

describe('a clock that is set while everything runs', () => {
  const clock = new MovedClock()
  let corridor: TestCorridor
  let database: Database

  beforeAll(async () => {
    corridor = await testCorridor({ clock })
    database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  }, 60_000)

  afterAll(async () => {
    await database?.close()
    await corridor?.[Symbol.asyncDispose]()
  })

  async function send(controlId: string): Promise<string> {
    const { port } = corridor.configuration.bridge.channels.adt
    await using sender = await openHl7Sender({ host: '127.0.0.1', port })
    return (await sender.send(sample({ controlId, patient: controlId }))).ackCode
  }

  const statusesOf = async (controlId: string) =>
    (
      await database.many<{ status: string }>(
        sql`select status from bridge.transactions where control_id = ${controlId}`,
      )
    )
      .map(({ status }) => status)
      .sort()

  it.each([
    { to: 'ten minutes ahead', date: () => fromNow(10 * minuteMs) },
    { to: 'ten minutes behind', date: () => fromNow(-10 * minuteMs) },
    { to: 'an hour behind', date: () => fromNow(-hourMs) },
    { to: '25 hours ahead', date: () => fromNow(25 * hourMs) },
    { to: 'the end of a leap day', date: () => new Date('2028-02-29T23:59:58Z') },
    { to: 'what it is', date: () => fromNow(0) },
  ])('to $to: messages, writes, consents and logins go on', async ({ to, date }) => {
    clock.set(date())
    expect(await send(`J-${to}`)).toBe('AA')
    const writer = await Writer.open(corridor)
    await writer.createOnce(clock.now().getTime())
    await writer.agreeAndRevoke(clock.now().getTime())
    await new Person(corridor).round()
    const negative = await database.many(sql`select control_id from bridge.transactions where duration_ms < 0`)
    expect(negative).toEqual([])
  })

  it('backwards forgets no message that was seen', async () => {
    clock.set(fromNow(0))
    expect(await send('J-seen')).toBe('AA')
    clock.set(fromNow(-hourMs))
    expect([await send('J-seen'), await statusesOf('J-seen')]).toEqual(['AA', ['DUPLICATE', 'SUCCESS']])
  })

  it('forwards by more than a day takes the same control id for a new message', async () => {
    clock.set(fromNow(0))
    expect(await send('J-old')).toBe('AA')
    clock.set(fromNow(25 * hourMs))
    expect([await send('J-old'), await statusesOf('J-old')]).toEqual(['AA', ['SUCCESS', 'SUCCESS']])
  })

  it('forwards ends logins and tokens in good order, and backwards makes none live longer than its server', async () => {
    clock.set(fromNow(0))
    const bearer = await corridor.bearerFor({ role: 'ADMIN' })
    const ask = async () => {
      const url = `${corridor.url('consent')}/api/consent/patient/amina-diallo`
      return (await fetch(url, { headers: { authorization: bearer } })).status
    }
    expect(await ask()).toBe(200)
    clock.set(fromNow(25 * hourMs))
    expect(await ask()).toBe(401)
    clock.set(fromNow(0))
    expect(await ask()).toBe(200)
  })
})

describe('clocks that differ between services', () => {
  const clock = new MovedClock()
  let auth: TestCorridor
  let consent: TestCorridor

  beforeAll(async () => {
    auth = await testCorridor({ services: ['auth'], clock })
    consent = await testCorridor({ services: ['consent'], settings: { 'auth.url': auth.url('auth') } })
  }, 60_000)

  afterAll(async () => {
    await consent?.[Symbol.asyncDispose]()
    await auth?.[Symbol.asyncDispose]()
  })

  // A service account's token lives five minutes; a minute of difference is forgiven, no more.
  it.each([
    { auth: 'is right', aheadMs: 0, status: 200 },
    { auth: 'is 50 seconds ahead', aheadMs: 50_000, status: 200 },
    { auth: 'is ten minutes ahead', aheadMs: 10 * minuteMs, status: 401 },
    { auth: 'is four minutes behind', aheadMs: -4 * minuteMs, status: 200 },
    { auth: 'is ten minutes behind', aheadMs: -10 * minuteMs, status: 401 },
  ])('a token is answered $status when the authorization server $auth', async ({ aheadMs, status }) => {
    clock.set(fromNow(aheadMs))
    const token = await demoToken(auth.url('auth'))
    const url = `${consent.url('consent')}/api/consent/patient/amina-diallo`
    expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(status)
  })
})
