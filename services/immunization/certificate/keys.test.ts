import { describe, expect, it } from 'vitest'
import { calculateJwkThumbprint } from 'jose'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { openCertificateKeys, type CertificateKeys } from './keys.ts'

const day = 86_400_000

describe('the keys that sign certificates', () => {
  it('are the same for copies that start together, and published without their private half', async () => {
    await using world = await keysWorld()
    const copies = await Promise.all([1, 2, 3].map(() => world.open()))
    const kids = await Promise.all(copies.map(async (copy) => (await copy.current()).kid))
    expect(new Set(kids).size).toBe(1)
    const [published] = copies[0]?.publicKeys().keys ?? []
    expect(Object.keys(published ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(published).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid: kids[0] })
    expect(await calculateJwkThumbprint({ ...published })).toBe(kids[0])
  })

  it('change over with an overlap; the old public key stays and the old private key is erased', async () => {
    await using world = await keysWorld()
    const keys = await world.open()
    const old = (await keys.current()).kid
    const next = await keys.rotate()
    expect((await keys.current()).kid).toBe(old)
    expect(keys.publicKeys().keys.map(({ kid }) => kid)).toEqual([old, next])
    await expect(keys.rotate()).rejects.toThrow('A new signing key is already published and takes over soon.')

    await world.clock.advance(day)
    expect((await keys.current()).kid).toBe(next)
    await world.clock.advance(day)
    await keys.reload()
    expect(keys.publicKeys().keys.map(({ kid }) => kid)).toEqual([old, next])
    expect(await world.privateKeys()).toEqual([false, true])
  })

  it('reach another copy when it looks again', async () => {
    await using world = await keysWorld()
    const [one, other] = [await world.open(), await world.open()]
    const made = await one.rotate({ immediately: true })
    await other.reload()
    expect((await other.current()).kid).toBe(made)
  })

  it('can be withdrawn when stolen, but never the one that signs', async () => {
    await using world = await keysWorld()
    const keys = await world.open()
    const stolen = (await keys.current()).kid
    await expect(keys.withdraw(stolen)).rejects.toThrow('The current signing key cannot be withdrawn.')
    const made = await keys.rotate({ immediately: true })
    await keys.withdraw(stolen)
    expect(keys.publicKeys().keys.map(({ kid }) => kid)).toEqual([made])
    await expect(keys.withdraw(stolen)).rejects.toThrow('There is no signing key with this kid.')
  })

  it('grow old: the next one is published by itself, once, and takes over a day later', async () => {
    await using world = await keysWorld()
    const copies = [await world.open(), await world.open()]
    const old = await world.kidOf(copies[0])
    await world.clock.advance(364 * day)
    await Promise.all(copies.map((keys) => keys.rotateByAge()))
    expect(copies.map((keys) => keys.list().length)).toEqual([1, 1])

    await world.clock.advance(day)
    for (const round of [1, 2]) {
      await Promise.all(copies.map((keys) => keys.reload()))
      await Promise.all(copies.map((keys) => keys.rotateByAge()))
      await Promise.all(copies.map((keys) => keys.reload()))
      const states = copies.map((keys) => keys.list().map(({ state }) => state))
      expect([round, states]).toEqual([round, [1, 2].map(() => ['current', 'next'])])
    }
    expect(await world.kidOf(copies[1])).toBe(old)
    await world.clock.advance(day)
    expect(copies.map((keys) => keys.list().map(({ state }) => state))).toEqual(
      copies.map(() => ['retired', 'current']),
    )
    expect(await world.kidOf(copies[0])).not.toBe(old)
  })

  it('are sealed when there is a secret at last, and then open with it alone', async () => {
    await using world = await keysWorld()
    const open = await world.open()
    const kid = await world.kidOf(open)
    await (await world.open()).sealOpenKeys()
    expect(await world.storedAs()).toEqual(['open'])
    const sealed = await world.open('a secret at last')
    await sealed.sealOpenKeys()
    expect(await world.storedAs()).toEqual(['sealed'])
    expect(await world.kidOf(sealed)).toBe(kid)
    expect(await world.kidOf(await world.open('a secret at last'))).toBe(kid)
    await expect((await world.open()).current()).rejects.toThrow('cannot be opened')
  })

  it('that do not open are found at the start and logged once; a new one signs, and the old cards stay good', async () => {
    await using world = await keysWorld()
    const old = await world.kidOf(await world.open('the right secret'))
    const captured = capturedLog(world.clock)
    const keys = await world.open('a wrong secret', captured.log)
    await keys.check()
    await keys.check()
    expect(captured.events('the key of certificates cannot be opened')).toMatchObject([{ level: 'error', kid: old }])
    expect(await keys.health(new AbortController().signal)).toMatchObject({
      status: 'DOWN',
      details: { error: expect.stringContaining('Set immunization.certificateKeySecret') as string },
    })
    const made = await keys.rotate({ immediately: true })
    expect(await keys.health(new AbortController().signal)).toEqual({ status: 'UP' })
    expect(await world.kidOf(keys)).toBe(made)
    expect(keys.publicKeys().keys.map(({ kid }) => kid)).toEqual([old, made])
  })

  it('that are sealed get no open one beside them from whoever lacks the secret', async () => {
    await using world = await keysWorld()
    await world.open('the right secret')
    const without = await world.open()
    for (const immediately of [false, true]) {
      await expect(without.rotate({ immediately })).rejects.toThrow('immunization.certificateKeySecret is not set here')
    }
    expect(await world.storedAs()).toEqual(['sealed'])
    await (await world.open('a secret in place of one that was lost')).rotate({ immediately: true })
    expect(await world.storedAs()).toEqual(['sealed', 'sealed'])
  })

  it('are sealed with the secret of the operator, and open with no other', async () => {
    await using world = await keysWorld()
    const { kid } = await (await world.open('the right secret')).current()
    expect((await (await world.open('the right secret')).current()).kid).toBe(kid)
    for (const secret of ['a wrong secret', undefined]) {
      await expect((await world.open(secret)).current()).rejects.toThrow(
        'The key that signs certificates cannot be opened.',
      )
    }
  })
})

async function keysWorld() {
  const template = await templateDatabase('immunization_keys', async (url) => {
    await migrate(url, [kitMigrations, { owner: 'immunization', folder: new URL('../migrations/', import.meta.url) }])
  })
  const fresh = await testDatabase({ template })
  const database = await openDatabase({ url: fresh.url, poolMax: 4, log: silentLog })
  const clock = new SimulatedClock()
  return {
    clock,
    open: (secret?: string, log = silentLog) =>
      openCertificateKeys({ database, clock, log, issuerCode: 'CORR', secret }),
    kidOf: async (keys: CertificateKeys | undefined) => (await keys?.current())?.kid,
    async storedAs() {
      const rows = await database.many<{ as: string }>(
        sql`select split_part(private_key, ':', 1) as "as" from immunization.signing_keys order by number`,
      )
      return rows.map((row) => row.as)
    },
    async privateKeys() {
      const rows = await database.many<{ there: boolean }>(
        sql`select private_key is not null as there from immunization.signing_keys order by number`,
      )
      return rows.map(({ there }) => there)
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await fresh.drop()
    },
  }
}
