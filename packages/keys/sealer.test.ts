import { chmod, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sealer } from './sealer.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'corridor-sealer-'))
})
afterAll(() => rm(directory, { recursive: true }))

const folder = async (name: string) => mkdtemp(join(directory, name))

describe('a sealed secret', () => {
  it('shows nothing, is different each time, and opens for whom it was sealed, also with another copy', async () => {
    const [one, other] = [new Sealer(directory), new Sealer(directory)]
    const [first, second] = await Promise.all([
      one.seal('JBSWY3DPEHPK3PXP', 'amara'),
      other.seal('JBSWY3DPEHPK3PXP', 'amara'),
    ])
    expect(first).not.toBe(second)
    expect([first, second].join()).not.toContain('JBSWY3DPEHPK3PXP')
    expect([await other.open(first, 'amara'), await one.open(second, 'amara')]).toEqual(
      Array(2).fill('JBSWY3DPEHPK3PXP'),
    )
    expect([Sealer.isSealed(first), Sealer.isSealed('JBSWY3DPEHPK3PXP')]).toEqual([true, false])
  })

  it('opens as it was sealed before, too', async () => {
    const place = await folder('before')
    await writeFile(join(place, 'sealing-key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`, { mode: 0o600 })
    const sealed = 'sealed:v1:bm9qtWBmwsjzQKwzf-2IfJGqxAby0XrNbSMoh11Zo-_Uh7Kie2ZEVyIuLaE'
    expect(await new Sealer(place).open(sealed, 'amara')).toBe('JBSWY3DPEHPK3PXP')
  })

  it('does not open for another, with another key, or when it was changed', async () => {
    const sealer = new Sealer(directory)
    const sealed = await sealer.seal('secret', 'amara')
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
    await expect(sealer.open(sealed, 'baraka')).rejects.toMatchObject({ code: 'SEALED_SECRET_UNREADABLE' })
    await expect(sealer.open(changed, 'amara')).rejects.toMatchObject({ code: 'SEALED_SECRET_UNREADABLE' })
    await expect(sealer.open('sealed:v1:AAAA', 'amara')).rejects.toMatchObject({ code: 'SEALED_SECRET_UNREADABLE' })
    const other = await folder('other')
    await new Sealer(other).seal('secret', 'amara')
    await expect(new Sealer(other).open(sealed, 'amara')).rejects.toThrow('Restore that file')
  })
})

describe('the sealing key', () => {
  it('is made when it is first needed, for its owner only', async () => {
    const place = await folder('new')
    const sealer = new Sealer(place)
    expect(await readdir(place)).toEqual([])
    await sealer.seal('secret', 'amara')
    expect(await readdir(place)).toEqual(['sealing-key'])
    expect((await stat(join(place, 'sealing-key'))).mode & 0o777).toBe(0o600)
  })

  it('is not made to open what another one has sealed, and opens it when it is there again', async () => {
    const place = await folder('lost')
    const key = join(place, 'sealing-key')
    const sealed = await new Sealer(place).seal('secret', 'amara')
    await rename(key, join(directory, 'away'))
    const sealer = new Sealer(place)
    await expect(sealer.open(sealed, 'amara')).rejects.toMatchObject({
      ...{ code: 'SEALED_SECRET_UNREADABLE', shown: expect.stringContaining('restore that file') as string },
    })
    expect(await readdir(place)).toEqual([])
    await rename(join(directory, 'away'), key)
    expect(await sealer.open(sealed, 'amara')).toBe('secret')
  })

  it.runIf(process.platform !== 'win32')('is refused when others can read it', async () => {
    const place = await folder('open')
    await new Sealer(place).seal('secret', 'amara')
    await chmod(join(place, 'sealing-key'), 0o644)
    await expect(new Sealer(place).seal('secret', 'amara')).rejects.toThrow('open to other users')
  })

  it('is refused when it is damaged', async () => {
    const place = await folder('damaged')
    await writeFile(join(place, 'sealing-key'), 'short', { mode: 0o600 })
    await expect(new Sealer(place).seal('secret', 'amara')).rejects.toThrow('damaged')
  })
})
