import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { Sealer } from '../../../packages/keys/sealer.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { testCorridorDatabase } from '../../../packages/testkit/test-corridor.ts'
import { testDatabase, type TestDatabase } from '../../../packages/testkit/test-database.ts'
import { putSigningKey } from '../../../packages/testkit/test-signing-key.ts'
import { saveUser } from '../../../services/auth/store/users.ts'
import { openCertificateKeys } from '../../../services/immunization/certificate/keys.ts'
import { corridorConfiguration } from '../load-configuration.ts'
import { serviceNames } from '../service-names.ts'
import { checkDatabase } from './database.ts'

async function findings(url: string, more: Record<string, string> = {}) {
  const { configuration } = corridorConfiguration({ demo: true, environment: { CORRIDOR_DATABASE_URL: url, ...more } })
  return checkDatabase(configuration, { clock: systemClock, running: serviceNames })
}

describe('migrations that wait', () => {
  let server: TestDatabase
  beforeAll(async () => void (server = await testDatabase()))
  afterAll(() => server?.drop())

  it('are applied by the next start, or by somebody else where this user may not', async () => {
    const migrations = async () => (await findings(server.url)).find(({ check }) => check === 'Migrations')
    expect(await migrations()).toMatchObject({ state: 'good', says: expect.stringContaining('waiting;') as string })
    const database = await openDatabase({ url: server.url, poolMax: 1, log: silentLog })
    await database.run(sql`do $$ begin
      execute format('revoke create on database %I from public, current_user', current_database()); end $$`)
    await database.close()
    expect(await migrations()).toMatchObject({
      ...{ state: 'bad', advice: expect.stringContaining('Grant it CREATE on the database') as string },
      says: expect.stringMatching(/^\d+ waiting, and the user of database\.url may not apply them$/) as string,
    })
  })
})

describe('accounts', () => {
  it.each([
    ['production', 'demo', 'This database has demo accounts, whose passwords everybody knows: ada.'],
    ['demo', 'command', 'This database has accounts and no demo account, as one of production does: ada.'],
  ] as const)('that a start in %s mode refuses are named', async (mode, source, says) => {
    await using server = await testCorridorDatabase()
    const database = await openDatabase({ url: server.url, poolMax: 1, log: silentLog })
    const accounts = async () =>
      (await findings(server.url, { CORRIDOR_MODE: mode })).find(({ check }) => check === 'Accounts')
    expect(await accounts()).toEqual({ check: 'Accounts', state: 'good', says: `fit for ${mode} mode` })
    await saveUser({ ...ada, totpSecret: null, source }, systemIds.uuid(), new Date(), database)
    await database.close()
    expect(await accounts()).toMatchObject({ state: 'bad', says: expect.stringContaining(says) as string })
  })
})

const ada = {
  ...{ username: 'ada', displayName: 'Ada', fhirUser: 'Practitioner/ada', roles: ['CLINICIAN'] as const },
  ...{ organisation: null, passwordHash: 'none' },
}

describe('a restore', () => {
  let server: TestDatabase
  let database: Database
  let folder: string
  const secret = 'a text that nobody can guess'

  beforeAll(async () => {
    server = await testCorridorDatabase()
    database = await openDatabase({ url: server.url, poolMax: 2, log: silentLog })
    folder = await mkdtemp(join(tmpdir(), 'corridor-doctor-'))
    await openCertificateKeys({ database, clock: systemClock, log: silentLog, issuerCode: 'CORRIDOR', secret })
    const totpSecret = await new Sealer(join(folder, 'keys')).seal('JBSWY3DPEHPK3PXP', 'ada')
    await saveUser({ ...ada, totpSecret, source: 'command' }, systemIds.uuid(), new Date(), database)
  })

  afterAll(async () => {
    await database?.close()
    await server?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const found = async (more: Record<string, string>, check: string) =>
    (await findings(server.url, more)).find((finding) => finding.check === check)
  const whole = () => ({
    CORRIDOR_AUTH_KEY_DIRECTORY: join(folder, 'keys'),
    CORRIDOR_IMMUNIZATION_CERTIFICATE_KEY_SECRET: secret,
  })

  it('with its keys and its secret is well', async () => {
    expect(await found(whole(), 'Certificate key')).toMatchObject({ state: 'good' })
    expect(await found(whole(), 'One-time codes')).toMatchObject({ says: 'the secrets of one person open' })
  })

  it.each([
    ['the wrong secret', { CORRIDOR_IMMUNIZATION_CERTIFICATE_KEY_SECRET: 'another text' }],
    ['no secret', { CORRIDOR_IMMUNIZATION_CERTIFICATE_KEY_SECRET: '' }],
  ])('with %s signs no certificates, and the doctor says so', async (_what, more) => {
    expect(await found({ ...whole(), ...more }, 'Certificate key')).toMatchObject({
      ...{ state: 'bad', says: expect.stringContaining('cannot be opened') as string },
    })
  })

  it('without its key directory lets nobody in who has a one-time code, and makes no key on the look', async () => {
    const more = { ...whole(), CORRIDOR_AUTH_KEY_DIRECTORY: join(folder, 'empty') }
    for (const _time of [1, 2]) {
      expect(await found(more, 'One-time codes')).toMatchObject({
        ...{ state: 'bad', says: expect.stringContaining('has no sealing-key') as string },
      })
    }
  })

  it('without its key directory takes no tokens that people have, and the doctor says what a start would', async () => {
    await database.run(sql`
      insert into auth.grants (id, client_id, user_id, session_hash, is_offline, scope, signed_in_at, created_at,
        last_used_at, expires_at)
      values (gen_random_uuid(), 'app', gen_random_uuid(), 'hash', true, 'openid', now(), now(), now(), now() + '1 hour')`)
    const away = join(folder, 'away')
    const production = { ...whole(), CORRIDOR_MODE: 'production', CORRIDOR_AUTH_KEY_DIRECTORY: away }
    expect(await found(production, 'Tokens')).toMatchObject({
      ...{ state: 'bad', says: expect.stringContaining(`The key directory ${away} has no signing key`) as string },
    })
    expect(await readdir(folder)).not.toContain('away')
    await mkdir(away, { mode: 0o700 })
    await putSigningKey(away, systemClock)
    expect(await found(production, 'Tokens')).toBeUndefined()
  })

  it('with the key directory of another lets nobody in either', async () => {
    const other = join(folder, 'other')
    await new Sealer(other).seal('any', 'any')
    const more = { ...whole(), CORRIDOR_AUTH_KEY_DIRECTORY: other }
    expect(await found(more, 'One-time codes')).toMatchObject({ state: 'bad' })
  })
})
