import { expect, it } from 'vitest'
import { opposedTo } from './conflicts.ts'
import { recordWith } from './testing/record-fixture.ts'

it.each([
  ['of the same purpose', ['HRESCH'], ['HRESCH'], true],
  ['of what the permit is a kind of', ['CLINTRCH'], ['HRESCH'], true],
  ['of a kind of the permit', ['HRESCH'], ['CLINTRCH'], false],
  ['of another purpose', ['TREAT'], ['HRESCH'], false],
  ['of any purpose', ['TREAT'], [], true],
  ['where the permit is for any', [], ['HRESCH'], true],
])('a refusal %s stands against a permit, or not, whichever is written', (_which, permitted, refused, expected) => {
  const permit = recordWith({ id: 1, purposes: permitted })
  const deny = recordWith({ id: 2, provisionType: 'deny', purposes: refused })
  const stands = [opposedTo(permit, [deny], '2026-03-04'), opposedTo(deny, [permit], '2026-03-04')]
  expect(stands.map(({ length }) => length)).toEqual(expected ? [1, 1] : [0, 0])
})
