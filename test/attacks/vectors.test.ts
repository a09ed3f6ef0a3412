import { describe, expect, it } from 'vitest'
import { testsIn } from '../../packages/testkit/tests-in.ts'
import { oauthVectors, tokenVectors, type Tried } from './vectors.ts'

/** The lists of the goal table, each row with the test that tries it. */

const root = new URL('../../', import.meta.url)

describe.each<[string, readonly Tried[], number]>([
  ['the token vectors', tokenVectors, 48],
  ['the OAuth vectors', oauthVectors, 44],
])('%s', (_list, vectors, count) => {
  it(`are ${count}, each named once`, () => {
    expect(vectors).toHaveLength(count)
    expect(new Set(vectors.map(({ vector }) => vector)).size).toBe(count)
  })

  it.each(vectors.map(({ vector, file, words }) => [vector, file, words]))(
    '%s is tried in %s',
    (_vector, file, words) => {
      expect(testsIn(new URL(file, root))).toContain(words)
    },
  )
})
