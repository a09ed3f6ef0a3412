import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testsIn } from './tests-in.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tests-in-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function written(text: string): Promise<URL> {
  const file = join(folder, 'some.test.ts')
  await writeFile(file, text)
  return pathToFileURL(file)
}

describe('the tests in a file', () => {
  it('are there with their words and without comments', async () => {
    const file = await written("// C1\n/* C2 */ it('C3: asks https://a.example // here', () => {})\n")
    const text = testsIn(file)
    expect(text).toContain("it('C3: asks https://a.example // here'")
    expect(text).not.toMatch(/C1|C2/)
  })

  it.each(['it.skip', 'it.todo', 'describe.skip', 'test.fails'])('prove nothing with %s', async (call) => {
    const file = await written(`${call}('C3: holds', () => {})\n`)
    expect(() => testsIn(file)).toThrow('passes over a test')
  })
})
