import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// A line `expression // => value` of the page claims a value; the whole page is one program.
const claim = /^(.*?) \/\/ => (.*)$/

it('shows examples that are true', async () => {
  const page = await readFile(new URL('README.md', import.meta.url), 'utf8')
  const blocks = Array.from(page.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code)
  const lines = blocks.join('\n').split('\n')
  const imports = lines.filter((line) => line.startsWith('import '))
  const body = lines
    .filter((line) => !line.startsWith('import '))
    .map((line) => line.replace(claim, 'claims.push([$1, $2])'))
  const program = [
    ...imports.map((line) =>
      line.replace(/'(\.[^']+)'/, (_all, path: string) => `'${new URL(path, import.meta.url).href}'`),
    ),
    'export const claims = []',
    ...body,
  ].join('\n')
  const folder = await mkdtemp(join(tmpdir(), 'hl7-readme-'))
  try {
    const file = join(folder, 'page.ts')
    await writeFile(file, program)
    // Sound: the program above exports its claims as pairs.
    const { claims } = (await import(file)) as { claims: [unknown, unknown][] }
    expect(claims.length).toBeGreaterThan(15)
    expect(claims.map(([found]) => found)).toEqual(claims.map(([, said]) => said))
  } finally {
    await rm(folder, { recursive: true })
  }
})
