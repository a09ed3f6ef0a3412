import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock as clock, type Clock } from '../clock/clock.ts'
import { systemIds } from '../clock/ids.ts'
import { later } from '../clock/later.ts'
import { unauthenticated, unavailable } from '../faults/fault.ts'
import { silentLog } from '../log/log.ts'
import { openDatabase, type Database } from '../sql/database.ts'
import { migrate } from '../sql/migrate/migrate.ts'
import { MovedClock } from '../testkit/moved-clock.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { signInMigrations } from './migrations.ts'
import { digestOf, seal } from './sealed.ts'
import { sessionOf, type Session } from './session.ts'
import { addSession, endSession, findSession, sessionsTable } from './store/sessions.ts'
import type { TokenAnswer } from './token-endpoint.ts'
import { TokenKeeper } from './token-keeper.ts'

let fresh: TestDatabase
let database: Database

beforeAll(async () => {
  fresh = await testDatabase()
  await migrate(fresh.url, [signInMigrations])
  database = await openDatabase({ url: fresh.url, poolMax: 4, log: silentLog })
})
afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

const granted = (accessToken: string): TokenAnswer => ({
  ...{
    is: 'granted',
    accessToken,
    expiresInSeconds: 3_600,
    refreshToken: 'next',
    idToken: undefined,
    scope: undefined,
  },
  members: new Map(),
})

/** A session whose token has these seconds left. */
async function sessionWith(seconds: number, refreshToken: string | undefined = 'first'): Promise<Session> {
  const secret = systemIds.secret()
  const now = clock.now()
  const row = {
    ...{ sessionHash: digestOf(secret), service: 'bridge', subject: 's', displayName: 'S' },
    sealedTokens: seal(JSON.stringify({ accessToken: 'old', refreshToken }), secret),
    accessExpiresAt: later(now, seconds),
    expiresAt: later(now, 36_000),
  }
  await addSession(row, now, database)
  const found = await findSession(row, { now, idleSince: later(now, -60) }, database)
  expect(found).toBeDefined()
  return sessionOf(found as NonNullable<typeof found>, secret)
}

function keeperThat(ask: () => Promise<TokenAnswer>, by: Clock = clock, askMsMax = 10_000) {
  return new TokenKeeper<Session>(
    {
      table: sessionsTable,
      refreshBelowSeconds: 60,
      ...{ ask, askMsMax },
      read: async (session, now) => {
        const row = await findSession(session, { now, idleSince: later(now, -3_600) }, database)
        return row && sessionOf(row, session.secret)
      },
      end: ({ sessionHash }, now) => endSession(sessionHash, now, database),
      sessionOver: () => unauthenticated('over'),
      unavailable: () => unavailable('away'),
    },
    { database, clock: by },
  )
}

/** Tells when somebody begins to wait. */
class WatchedClock extends MovedClock {
  readonly slept = Promise.withResolvers<void>()

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.resolve()
    return super.sleep(ms, signal)
  }
}

const away = async (): Promise<never> => {
  throw unavailable('The server does not answer.')
}

describe('the keeper of tokens', () => {
  it('leaves a token alone that lasts', async () => {
    const session = await sessionWith(90)
    expect(await keeperThat(away).fresh(session)).toBe(session)
  })

  it('asks once, however many requests of however many copies need it', async () => {
    let asked = 0
    const ask = async () => granted(`new-${++asked}`)
    const session = await sessionWith(0)
    const keepers = [keeperThat(ask), keeperThat(ask)]
    const sessions = await Promise.all(Array.from({ length: 40 }, (_, at) => keepers[at % 2]?.fresh(session)))
    expect(asked).toBe(1)
    expect(new Set(sessions.map((one) => one?.tokens.accessToken))).toEqual(new Set(['new-1']))
  })

  it('asks nobody a second time while the first may still be answered, however long that is', async () => {
    const moved = new WatchedClock()
    const first = Promise.withResolvers<TokenAnswer>()
    const began = Promise.withResolvers<void>()
    const slow = keeperThat(
      () => {
        began.resolve()
        return first.promise
      },
      moved,
      60_000,
    )
    const session = await sessionWith(0)
    const waiting = slow.fresh(session)
    await began.promise
    moved.forward(60)
    const other = keeperThat(async () => ({ is: 'refused', error: 'invalid_grant' }), moved, 60_000).fresh(session)
    await Promise.race([other, moved.slept.promise])
    first.resolve(granted('new'))
    const both = await Promise.all([waiting, other])
    expect(both.map(({ tokens }) => tokens.accessToken)).toEqual(['new', 'new'])
  })

  it('asks again where whoever asked is gone', async () => {
    const moved = new MovedClock()
    const began = Promise.withResolvers<void>()
    const gone = keeperThat(() => {
      began.resolve()
      return new Promise(() => {})
    }, moved)
    const session = await sessionWith(0)
    void gone.fresh(session)
    await began.promise
    moved.forward(21)
    const next = await keeperThat(async () => granted('new'), moved).fresh(session)
    expect(next.tokens.accessToken).toBe('new')
  })

  it('ends the session when the refresh token is no longer good, and when there is none and the token has ended', async () => {
    const refused = keeperThat(async () => ({ is: 'refused', error: 'invalid_grant' }))
    await expect(refused.fresh(await sessionWith(30))).rejects.toMatchObject({ kind: 'unauthenticated' })
    const without = await sessionWith(0)
    const bare = { ...without, tokens: { accessToken: 'old' } }
    await expect(keeperThat(away).fresh(bare)).rejects.toMatchObject({ kind: 'unauthenticated' })
    const living = { ...bare, accessExpiresAt: later(clock.now(), 30) }
    expect(await keeperThat(away).fresh(living)).toBe(living)
  })

  it('goes on with a token that still works while nobody answers, and says so when it does not work any more', async () => {
    const session = await sessionWith(30)
    expect(await keeperThat(away).fresh(session)).toBe(session)
    await expect(keeperThat(away).fresh(await sessionWith(0))).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('does not go on with a token that was refused', async () => {
    const session = await sessionWith(1_000)
    await expect(keeperThat(away).renew(session, { isRefused: true })).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
