import { describe, expect, it } from 'vitest'
import { scopeMatches } from './scope-matches.ts'

describe('a scope text gives a wanted scope', () => {
  it.each([
    ['system/*.read system/*.write', 'system/*.read', true],
    ['system/*.rs', 'system/*.read', true],
    ['system/*.cruds', 'system/*.write', true],
    ['openid system/*.r system/*.s', 'system/*.read', true],
    ['openid', 'openid', true],

    ['system/*.read', 'system/*.write', false],
    ['system/Patient.read', 'system/*.read', false],
    ['user/*.cruds', 'system/*.read', false],
    ['system/*.rs?_security=N', 'system/*.read', false],
    ['system/*.sr', 'system/*.read', false],
    ['nonsense', 'nonsense', false],
    ['', 'system/*.read', false],
  ])('%j gives %s: %s', (granted, wanted, expected) => {
    expect(scopeMatches(granted, wanted)).toBe(expected)
  })
})
