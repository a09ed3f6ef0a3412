import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readMigrations } from './migration-files.ts'

async function read(names: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-files-'))
  for (const name of names) await writeFile(join(folder, name), `-- ${name}`)
  try {
    return await readMigrations({ owner: 'consent', folder: pathToFileURL(folder) })
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the files of an owner', () => {
  it('are read in the order of their numbers; other files are left alone', async () => {
    const migrations = await read(['0002-b.sql', 'README.md', '0001-a.sql'])
    expect(migrations.map(({ file, number }) => [file, number])).toEqual([
      ['consent/0001-a.sql', 1],
      ['consent/0002-b.sql', 2],
    ])
  })

  it.each([
    ['a gap', ['0001-a.sql', '0003-c.sql'], 'consent/0003-c.sql leaves a gap: number 0002 is missing.'],
    ['a duplicate', ['0001-a.sql', '0001-b.sql'], 'consent/0001-b.sql has a number that another file has too.'],
    ['a wrong name', ['1-a.sql'], 'consent/1-a.sql must be named like 0001-what-it-does.sql.'],
  ])('are refused with %s', async (_, names, why) => {
    await expect(read(names)).rejects.toThrow(why)
  })
})
