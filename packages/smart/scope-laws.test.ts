import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains, cover, coverAll } from './contains.ts'
import { intersectAll } from './intersect.ts'
import { letters } from './letters.ts'
import { parseScope, parseScopes } from './parse.ts'
import { printScope, printScopes } from './print.ts'
import { specialScopeNames, type Scope } from './scope.ts'

/** Few types, letters and queries, so that two random scopes often have something to do with each other. */
const resourceText = fc
  .record({
    context: fc.constantFrom('patient', 'user', 'system'),
    type: fc.constantFrom('*', 'Observation', 'Patient'),
    access: fc.oneof(
      fc.constantFrom('read', 'write', '*'),
      fc.subarray([...letters], { minLength: 1 }).map((some) => some.join('')),
    ),
    query: fc.constantFrom('', '', '?category=lab', '?category=http%3A%2F%2Fa|b&code=x', '?code=x&category=http://a|b'),
  })
  .map(({ context, type, access, query }) => {
    const granular = /^[cruds]+$/.test(access) ? query : ''
    return `${context}/${type}.${access}${granular}`
  })

/** The text of a scope that parses. */
const scopeText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: resourceText },
  { weight: 1, arbitrary: fc.constantFrom(...specialScopeNames) },
)

const scope: fc.Arbitrary<Scope> = scopeText.map((text) => {
  const parsed = parseScope(text)
  if (parsed === undefined) throw new Error(`${text} should be a scope`)
  return parsed
})

describe('parsing', () => {
  it('is undone by printing', () => {
    const texts = fc.uniqueArray(scopeText, { maxLength: 10 }).map((some) => some.join(' '))
    fc.assert(
      fc.property(texts, (text) => {
        expect(printScopes(parseScopes(text))).toBe(text)
      }),
    )
  })

  it('refuses letters that are not in the order cruds', () => {
    const disordered = fc
      .shuffledSubarray([...letters], { minLength: 2 })
      .filter((some) =>
        some.some((letter, at) => at > 0 && letters.indexOf(letter) < letters.indexOf(some[at - 1] ?? 's')),
      )
    fc.assert(
      fc.property(disordered, (some) => {
        expect(parseScope(`patient/Patient.${some.join('')}`)).toBeUndefined()
      }),
    )
  })

  it('never throws, whatever the text', () => {
    const pieces = fc.constantFrom(' ', ...'patient user / * Patient . rs read ? = & % %4 |'.split(' '))
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(text, (some) => {
        const parsed = parseScope(some)
        expect(parsed === undefined || printScope(parsed) === some).toBe(true)
        expect(parseScopes(some).length).toBeLessThanOrEqual(some.length)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a scope', () => {
  it('always contains itself', () => {
    fc.assert(
      fc.property(scope, (one) => {
        expect(contains(one, one)).toBe(true)
      }),
    )
  })

  it('contains what its contents contain', () => {
    fc.assert(
      fc.property(scope, scope, scope, (a, b, c) => {
        const chained = contains(a, b) && contains(b, c)
        expect(!chained || contains(a, c)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('the intersection', () => {
  it('of two scopes is contained in both, and means the same either way', () => {
    fc.assert(
      fc.property(scope, scope, (a, b) => {
        const [one] = intersectAll([a], [b])
        const [other] = intersectAll([b], [a])
        expect(one === undefined).toBe(other === undefined)
        if (one === undefined || other === undefined) return
        expect(contains(a, one) && contains(b, one)).toBe(true)
        expect(contains(one, other) && contains(other, one)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  it('of a scope with one that contains it is the scope itself', () => {
    fc.assert(
      fc.property(scope, scope, (wide, narrow) => {
        fc.pre(contains(wide, narrow))
        expect(intersectAll([narrow], [wide])).toEqual([narrow])
      }),
      { numRuns: 300, maxSkipsPerRun: 1_000 },
    )
  })

  it('of two lists is covered by both, and means the same either way', () => {
    const scopes = fc.array(scope, { maxLength: 5 })
    fc.assert(
      fc.property(scopes, scopes, (some, others) => {
        const one = intersectAll(some, others)
        const other = intersectAll(others, some)
        expect(coverAll(some, one) && coverAll(others, one)).toBe(true)
        expect(coverAll(one, other) && coverAll(other, one)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('loses nothing that both lists give', () => {
    const scopes = fc.array(scope, { maxLength: 5 })
    fc.assert(
      fc.property(scopes, scopes, scope, (some, others, wanted) => {
        expect(cover(intersectAll(some, others), wanted)).toBe(cover(some, wanted) && cover(others, wanted))
      }),
      { numRuns: 2_000 },
    )
  })
})
