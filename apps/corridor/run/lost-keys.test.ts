import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { Sealer } from '../../../packages/keys/sealer.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { testCorridorDatabase } from '../../../packages/testkit/test-corridor.ts'
import type { TestDatabase } from '../../../packages/testkit/test-database.ts'
import { putSigningKey } from '../../../packages/testkit/test-signing-key.ts'
import { saveUser, type Source } from '../../../services/auth/store/users.ts'
import { corridorConfiguration } from '../load-configuration.ts'
import { quietProgress } from '../terminal.ts'
import { refuseLostKeys } from './lost-keys.ts'
import { runCorridor } from './run-corridor.ts'

let server: TestDatabase
let database: Database
let folder: string
let directory: string

beforeAll(async () => {
  server = await testCorridorDatabase()
  database = await openDatabase({ url: server.url, poolMax: 2, log: silentLog })
  folder = await mkdtemp(join(tmpdir(), 'corridor-lost-'))
})
afterAll(async () => {
  await database?.close()
  await server?.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  directory = await mkdtemp(join(folder, 'keys-'))
  await database.run(sql`delete from auth.grants`)
  await database.run(sql`delete from auth.users`)
})

const loaded = (more: Record<string, string> = {}) =>
  corridorConfiguration({
    environment: {
      ...{ CORRIDOR_MODE: 'production', CORRIDOR_DATABASE_URL: server.url, CORRIDOR_AUTH_KEY_DIRECTORY: directory },
      ...more,
    },
  })
const refusal = (more: Record<string, string> = {}) =>
  refuseLostKeys(loaded(more).configuration, { database, clock: systemClock })

const grant = (expires: string, revokedAt: Date | null = null) =>
  database.run(sql`
    insert into auth.grants (id, client_id, user_id, session_hash, is_offline, scope, signed_in_at, created_at,
      last_used_at, expires_at, revoked_at)
    values (${systemIds.uuid()}, 'app', ${systemIds.uuid()}, 'hash', true, 'openid', now(), now(), now(),
      now() + ${expires}::interval, ${revokedAt})`)

const person = {
  ...{ username: 'ada', displayName: 'Ada', fhirUser: 'Practitioner/ada', roles: ['CLINICIAN'] as const },
  ...{ organisation: null, passwordHash: 'none' },
}
async function withOneTimeCodes(source: Source) {
  const totpSecret = await new Sealer(join(folder, 'elsewhere')).seal('JBSWY3DPEHPK3PXP', 'ada')
  await saveUser({ ...person, totpSecret, source }, systemIds.uuid(), new Date(), database)
}

describe('a key directory without a signing key', () => {
  it('is refused by a start where somebody has tokens, which makes none and says what to do', async () => {
    await grant('1 hour')
    const port = String(await freePort())
    const configuration = loaded({ CORRIDOR_AUTH_PORT: port, CORRIDOR_DATA_DIR: join(folder, 'data') })
    const start = runCorridor(configuration, { services: ['auth'], log: silentLog, progress: quietProgress })
    await expect(start).rejects.toThrow(
      `The key directory ${directory} has no signing key, and people and apps have tokens that one has signed. Mount the ` +
        'directory, or restore it from your backup. Only where the keys are lost: "corridor keys rotate --immediately" ' +
        'makes new ones, and everybody signs in again.',
    )
    expect(await readdir(directory)).toEqual([])
  })

  it('is refused where it is not there at all, and is not made', async () => {
    await grant('1 hour')
    const away = join(folder, 'away')
    await expect(refusal({ CORRIDOR_AUTH_KEY_DIRECTORY: away })).rejects.toMatchObject({ code: 'SIGNING_KEYS_LOST' })
    expect(await readdir(folder)).not.toContain('away')
  })

  it.each([
    ['nobody has tokens', async () => {}],
    ['all tokens have ended', () => grant('-1 second')],
    ['all tokens were revoked', () => grant('1 hour', new Date())],
  ])('is a first start where %s', async (_what, prepare) => {
    await prepare()
    await expect(refusal()).resolves.toBeUndefined()
  })

  it('is one of a demo that begins anew', async () => {
    await grant('1 hour')
    await expect(refusal({ CORRIDOR_MODE: 'demo' })).resolves.toBeUndefined()
  })
})

it('a key directory with a signing key is as it should be', async () => {
  await grant('1 hour')
  await putSigningKey(directory, systemClock)
  await expect(refusal()).resolves.toBeUndefined()
})

describe('a key directory without the sealing key', () => {
  it('is refused where somebody has one-time codes, until the key is there or another was made on purpose', async () => {
    await withOneTimeCodes('command')
    await expect(refusal()).rejects.toThrow(
      `The key directory ${directory} has no sealing-key, and the secrets of one-time codes are sealed with one. Mount ` +
        'the directory, or restore that file from your backup. Only where it is lost: "corridor users totp ada" makes',
    )
    expect(await readdir(directory)).toEqual([])
    await new Sealer(directory).seal('another', 'ada')
    await expect(refusal()).resolves.toBeUndefined()
  })

  it('is no loss of codes that are declared: the start seals them anew', async () => {
    await withOneTimeCodes('configuration')
    await expect(refusal()).resolves.toBeUndefined()
  })
})
