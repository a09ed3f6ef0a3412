import { readFile, readlink, stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assert } from '../faults/fault.ts'
import { copyPackage } from './fixtures/package-copy.ts'
import { query } from './fixtures/query.ts'
import { startCorridorLike } from './fixtures/start-corridor-like.ts'
import { temporaryDataDir, type TemporaryDataDir } from './fixtures/temporary-data-dir.ts'
import { chooseUser } from './run-as.ts'

const isRoot = process.getuid?.() === 0

/** Run by root, the program becomes `nobody`; run by an ordinary user, it stays that user. */
async function ordinaryUser(): Promise<{ uid: number; gid: number }> {
  if (!isRoot) return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
  const passwd = (await readFile('/etc/passwd', 'utf8')).split('\n').filter((line) => line.startsWith('nobody:'))
  const nobody = chooseUser(passwd.join('\n'))
  assert(nobody !== undefined, 'this system has no user nobody')
  return nobody
}

describe('an ordinary user', () => {
  // A copy, because a clone under a folder that only root may enter hides the package from the user.
  let shared: TemporaryDataDir
  let packageFolder: string
  beforeAll(async () => {
    shared = await temporaryDataDir({ isOnDisk: true })
    packageFolder = await copyPackage(shared.folder)
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  it('runs PostgreSQL as itself, and from a copy next to the data where the package may not be changed', async () => {
    await using place = await temporaryDataDir({ isOnDisk: true, mode: 0o777 })
    const user = await ordinaryUser()
    const asked = { dataDir: place.dataDir, packageFolder, ...(isRoot && { user }) }

    const { child, answer } = await startCorridorLike(asked)
    expect(answer).toMatchObject({ uid: user.uid, firstStart: true, adopted: false })
    expect((await stat(`/proc/${answer.pid}`)).uid).toBe(user.uid)
    expect(await query(answer.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
    // Root's package lacks its links and cannot get them; one's own gets them in place.
    const expected = isRoot ? place.layout.binaries : packageFolder
    expect(await readlink(`/proc/${answer.pid}/exe`)).toContain(expected)
    await child.kill('SIGKILL')

    const next = await startCorridorLike({ ...asked, stop: true })
    expect(next.answer).toMatchObject({ adopted: true, pid: answer.pid })
    expect(await next.child.ended).toMatchObject({ code: 0 })
  })

  it('is told when the data directory may not be written', async () => {
    await using place = await temporaryDataDir({ isOnDisk: true, mode: 0o555 })
    const user = await ordinaryUser()
    const { answer } = await startCorridorLike({ dataDir: place.dataDir, ...(isRoot && { user }) })
    expect(answer.fault).toEqual({
      kind: 'unavailable',
      code: 'DATA_DIR_UNWRITABLE',
      message:
        `The data directory ${place.dataDir} cannot be written: ${place.folder} ` +
        (isRoot
          ? `belongs to the user with the id 0, and Corridor runs as ${user.uid}. Start Corridor as that user, give this one the right to write there, `
          : 'keeps its own user out (mode 555). Run "chmod u+rwx" on it, ') +
        'or set CORRIDOR_DATA_DIR to another folder.',
    })
  })

  it.runIf(isRoot)('who asks about the data directory of another is told whom to be', async () => {
    await using place = await temporaryDataDir({ isOnDisk: true, mode: 0o700 })
    const user = await ordinaryUser()
    const { answer } = await startCorridorLike({ dataDir: place.dataDir, inspectOnly: true, user })
    expect(answer.fault).toEqual({
      kind: 'unavailable',
      code: 'DATA_DIR_CLOSED',
      message:
        `The data directory ${place.dataDir} is closed to the user that runs this (id ${user.uid}). Run it as the user that ` +
        'Corridor runs as, or as root.',
    })
  })

  it('without an entry in /etc/passwd is told what PostgreSQL needs', async () => {
    await using place = await temporaryDataDir({ isOnDisk: true, mode: 0o777 })
    const user = { uid: 54_321, gid: 54_321 }
    const { answer } = await startCorridorLike({
      dataDir: place.dataDir,
      packageFolder,
      stop: true,
      ...(isRoot && { user }),
    })
    // Only root can become such a user; anybody else has an entry, and no fault.
    expect(answer.fault?.code).toBe(isRoot ? 'POSTGRES_NO_USER' : undefined)
    expect(answer.fault?.message ?? '').toMatch(isRoot ? /^The user id 54321 has no entry in \/etc\/passwd/ : /^$/)
  })
})
