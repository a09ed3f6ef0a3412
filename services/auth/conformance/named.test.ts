import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { testsIn } from '../../../packages/testkit/tests-in.ts'

/** Holds the tables of docs/conformance.md against the tests that they name. */

const page = new URL('../../../docs/conformance.md', import.meta.url)
const text = readFileSync(page, 'utf8')

interface Named {
  readonly id: string
  readonly file: string
  /** In the file; the id itself where none are given. */
  readonly words: string | undefined
}

const named: Named[] = [...text.matchAll(/^\| ([AC]\d+) +\|(.*)$/gm)].flatMap(([, id = '', row = '']) =>
  [...row.matchAll(/\]\(([^)]+)\)(?: “([^”]+)”)?/g)].map(([, file = '', words]) => ({ id, file, words })),
)

const numbered = (letter: string, count: number, digits: number) =>
  Array.from({ length: count }, (_, at) => `${letter}${String(at + 1).padStart(digits, '0')}`)

describe('docs/conformance.md', () => {
  it('names a test for every assertion and every attack', () => {
    const ids = new Set(named.map(({ id }) => id))
    expect([...numbered('C', 70, 2), ...numbered('A', 30, 1)].filter((id) => !ids.has(id))).toEqual([])
  })

  it.each(named.map(({ id, file, words }) => [id, file, words ?? id] as const))(
    '%s is tried in %s: %s',
    (id, file, words) => {
      const tests = testsIn(new URL(file, page))
      const isNamed = words === id ? new RegExp(`\\b${id}\\b`).test(tests) : tests.includes(words)
      expect(isNamed).toBe(true)
    },
  )
})
