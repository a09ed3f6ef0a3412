import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { corridorConfiguration } from '../load-configuration.ts'
import { checkDisk } from './disk.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corridor-disk-'))
  await mkdir(join(folder, 'there'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const none = ['none, and none is needed: the database and the keys lie elsewhere']
const elsewhere = { database: 'postgres://db/corridor', keys: '/var/lib/corridor/keys' }

it.each([
  ['a container has none', 'missing', elsewhere, none],
  ['one that is there is looked at', 'there', elsewhere, undefined],
  ['the embedded database needs one', 'missing', { keys: '/var/lib/corridor/keys' }, undefined],
  ['keys that go into it need one', 'missing', { database: 'postgres://db/corridor' }, undefined],
])('%s', async (_what, name, { database = '', keys = '' }: { database?: string; keys?: string }, says) => {
  const environment = {
    CORRIDOR_DATA_DIR: join(folder, name),
    CORRIDOR_DATABASE_URL: database,
    CORRIDOR_AUTH_KEY_DIRECTORY: keys,
  }
  const findings = await checkDisk(corridorConfiguration({ environment }).configuration)
  const looked = [`${join(folder, name)} can be written`, expect.stringContaining('GB free') as string]
  expect(findings.map((finding) => finding.says)).toEqual(says ?? looked)
})
