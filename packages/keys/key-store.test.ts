import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calculateJwkThumbprint } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { assert } from '../faults/fault.ts'
import { silentLog } from '../log/log.ts'
import { fullDisk } from '../testkit/full-disk.ts'
import { localKeySet } from '../tokens/key-set.ts'
import { makeSigner } from '../tokens/signer.ts'
import { makeTokenVerifier } from '../tokens/verifier.ts'
import { openKeyStore } from './key-store.ts'

const log = silentLog
const firstFile = 'signing-key-0001.json'

let root: string
/** RSA keys take long to make, so the text of the first one serves every test that just needs a key. */
let keyText: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'corridor-keys-'))
  const directory = join(root, 'first')
  await openKeyStore({ directory, clock: new SimulatedClock('2025-12-01T00:00:00Z'), log })
  keyText = await readFile(join(directory, firstFile), 'utf8')
})

afterAll(() => rm(root, { recursive: true, force: true }))

describe('the first start', () => {
  it('makes one key that only its owner may read, named by its thumbprint', async () => {
    const directory = join(root, 'first')
    expect(await readdir(directory)).toEqual([firstFile])
    expect((await stat(join(directory, firstFile))).mode & 0o777).toBe(0o600)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)

    const store = await openKeyStore({ directory, clock: new SimulatedClock(), log })
    const [key] = store.publicKeys().keys
    expect(key?.kid).toBe(await calculateJwkThumbprint(key ?? {}))
    expect(store.current().kid).toBe(key?.kid)
  })

  it('of several copies at once ends with one key that all of them use', async () => {
    const directory = join(root, 'race')
    const clock = new SimulatedClock()
    const stores = await Promise.all([1, 2, 3].map(() => openKeyStore({ directory, clock, log })))
    expect(await readdir(directory)).toEqual([firstFile])
    expect(new Set(stores.map((store) => store.current().kid)).size).toBe(1)
  })
})

it('a directory is made with all that leads to it, for its owner alone', async () => {
  const directory = join(root, 'some', 'where', 'else')
  await openKeyStore({ directory, clock: new SimulatedClock(), log })
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect((await stat(join(root, 'some'))).mode & 0o777).toBe(0o700)
})

describe('what is published', () => {
  it('holds no private number', async () => {
    const { store } = await opened('published')
    const [key] = store.publicKeys().keys
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect(key).toMatchObject({ alg: 'RS256', kty: 'RSA', use: 'sig' })
  })

  it('is the same object until something changes', async () => {
    const { store } = await opened('same')
    const published = store.publicKeys()
    await store.reload()
    expect(store.publicKeys()).toBe(published)
  })
})

describe('rotation', () => {
  it('publishes the next key before it signs, and the retired one until its time is over', async () => {
    const { store, clock, directory } = await opened('rotation', { overlapSeconds: 3_600, retainSeconds: 86_400 })
    const old = store.current().kid
    const signer = makeSigner(() => store.current())
    const verifier = makeTokenVerifier({
      issuer: 'https://issuer.example',
      audiences: ['https://fhir.example'],
      keySet: localKeySet(() => store.publicKeys()),
      clock,
    })
    const token = () => signer.sign({ typ: 'at+jwt', claims: claims(clock) })
    const oldToken = await token()

    const next = await store.rotate()
    expect(states(store)).toEqual([`${old} current`, `${next.kid} next`])
    expect(store.publicKeys().keys.map((key) => key.kid)).toEqual([old, next.kid])
    expect(store.current().kid).toBe(old)
    await expect(store.rotate()).rejects.toThrow(
      'A new signing key is already published; it takes over at 2026-01-01T01:00:00.000Z.',
    )

    await clock.advance(3_600_000)
    expect(store.current().kid).toBe(next.kid)
    expect(states(store)).toEqual([`${old} retired`, `${next.kid} current`])
    await expect(verifier.verify(oldToken)).resolves.toMatchObject({ subject: 'dr-amara' })
    await expect(verifier.verify(await token())).resolves.toMatchObject({ subject: 'dr-amara' })

    await clock.advance(86_400_000)
    expect(store.publicKeys().keys.map((key) => key.kid)).toEqual([next.kid])
    await expect(verifier.verify(oldToken)).rejects.toThrow('The access token is signed with an unknown key.')
    await store.reload()
    expect(await readdir(directory)).toEqual(['signing-key-0002.json'])
  })

  it('takes a key of the past away for all copies only when its time is over by more than one clock', async () => {
    const { store, clock, directory } = await opened('ahead', { retainSeconds: 86_400 })
    await store.rotate({ immediately: true })
    const ahead = new SimulatedClock(new Date(clock.now().getTime() + 365 * 86_400_000))
    const other = await openKeyStore({
      ...{ directory, clock: ahead, log, retainSeconds: 86_400, deletesAt: async () => clock.now() },
    })
    await other.reload()
    expect(await readdir(directory)).toEqual([firstFile, 'signing-key-0002.json'])
    expect(other.list()).toHaveLength(1)
    await clock.advance(86_400_000)
    await other.reload()
    expect(await readdir(directory)).toEqual(['signing-key-0002.json'])
  })

  it('reaches the other copies when they look again, and two at once make one key', async () => {
    const { store, clock, directory } = await opened('copies')
    const other = await openKeyStore({ directory, clock, log })
    const outcomes = await Promise.allSettled([store.rotate(), other.rotate()])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await Promise.all([store.reload(), other.reload()])
    expect(states(other)).toEqual(states(store))
    expect(states(store)).toHaveLength(2)
  })

  it('ends before verifiers would read the keys no more, and says what to do', async () => {
    const { store, directory } = await opened('many')
    const write = (number: number) =>
      writeFile(join(directory, `signing-key-${String(number).padStart(4, '0')}.json`), keyText, { mode: 0o600 })
    for (let number = 2; number <= 128; number++) await write(number)
    const { kid } = store.current()
    const refusal =
      `128 signing keys are published, and verifiers read no more. Remove the oldest with \`corridor keys remove ${kid}\`, ` +
      'which ends the refresh tokens that it has signed, or wait until 2026-03-01T00:00:00.000Z.'
    await expect(store.rotate()).rejects.toThrow(refusal)
    await expect(store.rotate({ immediately: true })).rejects.toThrow(refusal)
    expect(await readdir(directory)).toHaveLength(128)
  })

  it('takes over at once when asked, and a stolen key can be withdrawn', async () => {
    const { store } = await opened('stolen')
    const stolen = store.current().kid
    await expect(store.remove(stolen)).rejects.toThrow('The current signing key cannot be removed.')
    const made = await store.rotate({ immediately: true })
    expect(store.current().kid).toBe(made.kid)
    await store.remove(stolen)
    expect(store.publicKeys().keys.map((key) => key.kid)).toEqual([made.kid])
    await expect(store.remove(stolen)).rejects.toThrow('There is no signing key with this kid.')
  })
})

describe('a key that cannot be trusted stops the start with one sentence', () => {
  const unreadable = (path: string) =>
    `The signing key ${path} is not a readable RSA private key. Restore it from your backup or move it away to have a ` +
    'new one made; tokens signed with it become invalid.'

  it.each([
    ['empty', () => ''],
    ['cut off', (text: string) => text.slice(0, 300)],
    ['not JSON', () => 'a'.repeat(100)],
    ['null', () => 'null'],
    ['public only', (text: string) => changed(text, { d: undefined, p: undefined, q: undefined })],
    [
      'damaged in one number',
      (text: string) => text.replace(/(?<="n": ".{20})./, (sign) => (sign === 'A' ? 'B' : 'A')),
    ],
    ['of another kind', () => JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' })],
    ['without its time', (text: string) => changed(text, { currentFrom: undefined })],
  ])('when its file is %s', async (name, text) => {
    const directory = join(root, `bad ${name}`)
    const path = join(directory, firstFile)
    await mkdir(directory, { mode: 0o700 })
    await writeFile(path, text(keyText), { mode: 0o600 })
    await expect(openKeyStore({ directory, clock: new SimulatedClock(), log })).rejects.toThrow(unreadable(path))
    expect(await readdir(directory)).toEqual([firstFile])
  })

  it('when others may read its file', async () => {
    const { directory, clock } = await opened('exposed')
    const path = join(directory, firstFile)
    await chmod(path, 0o644)
    await expect(openKeyStore({ directory, clock, log })).rejects.toThrow(
      `The key ${path} is open to other users of this machine (mode 644).`,
    )
  })

  it('when everyone may write into its directory', async () => {
    const { directory, clock } = await opened('open directory')
    await chmod(directory, 0o777)
    await expect(openKeyStore({ directory, clock, log })).rejects.toThrow(
      `Every user of this machine may put keys into the key directory ${directory}. Run "chmod 700" on it.`,
    )
  })

  it('when its directory is a file', async () => {
    const directory = join(root, 'a file')
    await writeFile(directory, '')
    await expect(openKeyStore({ directory, clock: new SimulatedClock(), log })).rejects.toThrow(
      `The key directory ${directory} cannot be used: ${directory} is a file. Move it away, or name another directory.`,
    )
  })

  it('when its directory is in a file', async () => {
    const file = join(root, 'another file')
    await writeFile(file, '')
    const directory = join(file, 'keys')
    await expect(openKeyStore({ directory, clock: new SimulatedClock(), log })).rejects.toThrow(
      `The key directory ${directory} cannot be used: ${file} is a file. Move it away, or name another directory.`,
    )
  })

  it('when there is no room for it, and no part of it is left', async ({ skip }) => {
    await using disk = await fullDisk()
    skip(disk === undefined, 'this user may mount nothing')
    assert(disk !== undefined, 'it is there')
    const directory = join(disk.folder, 'keys')
    await expect(openKeyStore({ directory, clock: new SimulatedClock(), log })).rejects.toThrow(
      `There is no free disk space for a key in ${directory}. Free some there.`,
    )
    expect(await readdir(directory)).toEqual([])
  })

  it('when its directory is where none can be made', async () => {
    const directory = '/proc/corridor/keys'
    await expect(openKeyStore({ directory, clock: new SimulatedClock(), log })).rejects.toThrow(
      'The directory /proc/corridor cannot be made for the keys: /proc takes no directories.',
    )
  })
})

describe('while it runs', () => {
  it('keeps its keys when the directory is lost', async () => {
    const { store, directory } = await opened('lost')
    const { kid } = store.current()
    await rm(directory, { recursive: true })
    const lost = `The key directory ${directory} has no signing key any more; the known keys stay in use`
    await expect(store.reload()).rejects.toThrow(lost)
    expect(store.current().kid).toBe(kid)
    // A new one would be the only one there: whoever starts next would know no other.
    await expect(store.rotate({ immediately: true })).rejects.toThrow(lost)
    expect(await readdir(directory)).toEqual([])
  })

  it('keeps its keys when a file becomes unreadable, and says so', async () => {
    const { store, directory } = await opened('spoiled')
    const { kid } = store.current()
    await writeFile(join(directory, 'signing-key-0002.json'), 'spoiled', { mode: 0o600 })
    await expect(store.reload()).rejects.toThrow('is not a readable RSA private key')
    expect(store.current().kid).toBe(kid)
  })
})

async function opened(name: string, settings: { overlapSeconds?: number; retainSeconds?: number } = {}) {
  const directory = join(root, name)
  await mkdir(directory, { mode: 0o700 })
  await writeFile(join(directory, firstFile), keyText, { mode: 0o600 })
  const clock = new SimulatedClock()
  return { directory, clock, store: await openKeyStore({ directory, clock, log, ...settings }) }
}

const states = (store: Awaited<ReturnType<typeof openKeyStore>>) =>
  store.list().map(({ kid, state }) => `${kid} ${state}`)

function changed(text: string, members: Record<string, unknown>): string {
  const key: unknown = JSON.parse(text)
  return JSON.stringify({ ...(key as object), ...members })
}

function claims(clock: SimulatedClock) {
  const now = Math.floor(clock.now().getTime() / 1000)
  return {
    iss: 'https://issuer.example',
    aud: 'https://fhir.example',
    sub: 'dr-amara',
    client_id: 'demo-app',
    jti: 'one',
    iat: now,
    exp: now + 7 * 86_400,
  }
}
