import { chmod, chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { silentLog } from '../log/log.ts'
import { startChild } from '../testkit/child.ts'
import { foreignFiles } from './key-files.ts'
import { openKeyStore } from './key-store.ts'
import { Sealer } from './sealer.ts'

const isRoot = process.getuid?.() === 0
/** Nobody in particular: a service's user needs no name. */
const service = 64_321

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'corridor-owner-'))
  await chmod(root, 0o755)
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe.runIf(isRoot)("what a command of root's makes", () => {
  it('belongs to the owner of the key directory, who can read it', async () => {
    const directory = await directoryOf(service, 'service')
    const store = await openKeyStore({ directory, clock: new SimulatedClock(), log: silentLog })
    await store.rotate({ immediately: true })
    await new Sealer(directory).seal('secret', 'amara')
    const owners = await Promise.all(files.map(async (name) => ownerOf(join(directory, name))))
    expect(owners).toEqual(files.map(() => [service, service]))
    expect(await foreignFiles(directory)).toEqual([])
    expect(await readAs(service, directory)).toEqual({ signing: 'read', sealing: 'read' })
  })

  it('belongs to the owner of the place where the key directory is made', async () => {
    const directory = join(await directoryOf(service, 'state'), 'keys')
    await new Sealer(directory).seal('secret', 'amara')
    expect(await ownerOf(directory)).toEqual([service, service])
    expect(await ownerOf(join(directory, 'sealing-key'))).toEqual([service, service])
  })

  it('stays its own where the directory is', async () => {
    const directory = await directoryOf(0, 'own')
    await new Sealer(directory).seal('secret', 'amara')
    expect(await ownerOf(join(directory, 'sealing-key'))).toEqual([0, 0])
  })
})

describe.runIf(process.platform !== 'win32')('a key that belongs to another user', () => {
  it('is called that, with what to do, and nobody is told to move it away', async () => {
    const directory = await directoryOf(isRoot ? service : -1, 'foreign')
    await openKeyStore({ directory, clock: new SimulatedClock(), log: silentLog })
    await new Sealer(directory).seal('secret', 'amara')
    const [first, , sealing] = files.map((name) => join(directory, name))
    for (const path of [first ?? '', sealing ?? '']) await (isRoot ? chown(path, 0, 0) : chmod(path, 0))
    expect(await readAs(service, directory)).toEqual({
      signing:
        `The signing key ${first} belongs to another user, and the one that Corridor runs as may not read it. ` +
        'Give it to that one with "chown"; nothing else is wrong with it.',
      // A person who signs in reads it.
      sealing:
        'The file sealing-key in the key directory belongs to another user, and the one that Corridor runs as may not ' +
        'read it. Give it to that one with "chown".',
    })
    expect(await foreignFiles(directory)).toEqual(isRoot ? ['sealing-key', 'signing-key-0001.json'] : [])
  })
})

const files = ['signing-key-0001.json', 'signing-key-0002.json', 'sealing-key']

async function directoryOf(uid: number, name: string): Promise<string> {
  const directory = join(root, name)
  await mkdir(directory, { mode: 0o700 })
  if (isRoot) await chown(directory, uid, uid)
  return directory
}

async function ownerOf(path: string): Promise<readonly number[]> {
  const { uid, gid } = await stat(path)
  return [uid, gid]
}

async function readAs(uid: number, directory: string): Promise<unknown> {
  const script = new URL('fixtures/read-keys-as.ts', import.meta.url)
  await using child = await startChild({ script, args: [directory, String(uid)] })
  await child.ended
  return JSON.parse(child.lines.join('') || JSON.stringify(child.errorLines))
}
