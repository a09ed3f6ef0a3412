import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { faultSuites } from './fault-suites.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = await Array.fromAsync(glob('{apps,services,ports,packages,test}/**/*.test.{ts,tsx}', { cwd: root }))

it('the long run has every suite that tries more in it than every day', async () => {
  const texts = await Promise.all(tests.map(async (path) => ({ path, text: await readFile(`${root}${path}`, 'utf8') })))
  const longer = texts.filter(({ text }) => /\b(?:casesOf\(|isLongRun\b)/.test(text)).map(({ path }) => path)
  expect(longer.length).toBeGreaterThan(20)
  expect(longer.filter((path) => !faultSuites.some((suite) => path.startsWith(suite)))).toEqual([])
})

it('the long run names no suite that is not there', () => {
  const isThere = (suite: string) => existsSync(`${root}${suite}`) || tests.some((path) => path.startsWith(`${suite}.`))
  expect(faultSuites.filter((suite) => !isThere(suite))).toEqual([])
})
