import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds as ids } from '../clock/ids.ts'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { bug } from '../faults/fault.ts'
import { textVerifier } from '../http/testing/test-server.ts'
import { silentLog as log } from '../log/log.ts'
import { openDatabase, type Database } from '../sql/database.ts'
import { migrate } from '../sql/migrate/migrate.ts'
import { sql } from '../sql/sql.ts'
import { testDatabase } from '../testkit/test-database.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { signInMigrations } from './migrations.ts'
import { SignIn } from './sign-in.ts'
import { addAttempt } from './store/attempts.ts'
import { addSession } from './store/sessions.ts'

const world = new AsyncDisposableStack()
let database: Database
beforeAll(async () => {
  const { url } = world.use(await testDatabase())
  await migrate(url, [signInMigrations])
  database = world.adopt(await openDatabase({ url, poolMax: 4, log }), (open) => open.close())
})
afterAll(() => world.disposeAsync())

it('sessions past their end and attempts that were given up are forgotten, those of other services are not', async () => {
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  const after = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)
  for (const service of ['tested', 'other']) {
    for (const seconds of [60, 3_600]) {
      const name = `${service} ${seconds}`
      const key = { stateHash: name, browserHash: name, service }
      const begun = { addressHash: 'a', now: clock.now(), expiresAt: after(seconds) }
      await addAttempt(key, { sealedVerifier: 'v', nonce: 'n', returnTo: '/' }, begun, database)
      const session = { sessionHash: name, service, subject: 's', displayName: 'Amina', sealedTokens: 't' }
      await addSession({ ...session, accessExpiresAt: after(60), expiresAt: after(seconds) }, clock.now(), database)
    }
  }
  const outbound = { deadlineMs: 1_000, send: () => Promise.reject(bug('nothing is sent')) }
  const signIn = new SignIn(
    {
      ...{ service: 'tested', serviceUrl: 'http://127.0.0.1:1', authUrl: 'http://auth', fhirUrl: 'http://fhir' },
      ...{ clientId: 'tested', sessionSeconds: 3_600, idleSeconds: 600 },
    },
    { database, clock, ids, outbound, verifier: textVerifier },
  )
  const sweeping = signIn.keepSweeping(log)
  const left = async () => {
    const rows = await database.many<{ name: string }>(sql`
      select 'attempt ' || state_hash as name from sign_in.attempts
      union all select 'session ' || session_hash from sign_in.sessions order by name`)
    return rows.map(({ name }) => name)
  }
  expect(await left()).toHaveLength(8)
  await clock.advance(600_000)
  await waitFor(async () => (await left()).length === 6, { what: 'what is past its end to go' })
  expect(await left()).toEqual(
    ['attempt', 'session'].flatMap((what) => [`${what} other 3600`, `${what} other 60`, `${what} tested 3600`]),
  )
  await sweeping.end()
  expect(clock.waiting).toBe(0)
})
