import { describe, expect, it } from 'vitest'
import { contains, cover, coverAll } from './contains.ts'
import { parseScope, parseScopes } from './parse.ts'
import type { Scope } from './scope.ts'

describe('one scope contains another', () => {
  it.each([
    ['patient/*.rs', 'patient/Patient.rs', true],
    ['patient/*.cruds', 'patient/*.r', true],
    ['patient/Patient.read', 'patient/Patient.rs', true],
    ['patient/Patient.rs', 'patient/Patient.read', true],
    ['patient/Patient.*', 'patient/Patient.write', true],
    ['patient/Observation.rs', 'patient/Observation.rs?category=lab', true],
    ['patient/*.rs', 'patient/Observation.r?category=lab', true],
    ['patient/Observation.rs?a=1&b=2', 'patient/Observation.rs?b=2&a=1', true],
    ['patient/Observation.rs?a=x%7Cy', 'patient/Observation.rs?a=x|y', true],
    ['launch', 'launch', true],

    ['patient/Patient.rs', 'patient/*.rs', false],
    ['patient/Patient.r', 'patient/Patient.rs', false],
    ['patient/Patient.read', 'patient/Patient.write', false],
    ['user/Patient.rs', 'patient/Patient.rs', false],
    ['system/*.cruds', 'user/Patient.r', false],
    ['patient/Observation.rs?category=lab', 'patient/Observation.rs', false],
    ['patient/Observation.rs?category=lab', 'patient/Observation.rs?category=vital-signs', false],
    ['patient/Observation.rs?category=lab', 'patient/Observation.rs?category=lab&code=x', false],
    ['patient/Observation.rs?category=lab&code=x', 'patient/Observation.rs?category=lab', false],
    ['launch', 'launch/patient', false],
    ['patient/*.cruds', 'openid', false],
    ['openid', 'patient/Patient.r', false],
  ])('%s contains %s: %s', (wide, narrow, expected) => {
    expect(contains(parsed(wide), parsed(narrow))).toBe(expected)
  })
})

describe('several scopes cover', () => {
  it.each([
    ['patient/Patient.r patient/*.s', 'patient/Patient.rs', true],
    ['patient/Patient.read patient/Patient.write', 'patient/Patient.*', true],
    ['openid launch', 'launch', true],
    ['patient/Patient.r user/Patient.s', 'patient/Patient.rs', false],
    ['patient/Observation.r patient/Observation.s?a=1', 'patient/Observation.rs', false],
    ['', 'patient/Patient.r', false],
    ['', 'launch', false],
  ])('%j covers %s: %s', (granted, wanted, expected) => {
    expect(cover(parseScopes(granted), parsed(wanted))).toBe(expected)
  })

  it('a list when they cover each of it', () => {
    const granted = parseScopes('launch patient/*.rs')
    expect(coverAll(granted, parseScopes('patient/Patient.r launch'))).toBe(true)
    expect(coverAll(granted, parseScopes('patient/Patient.r openid'))).toBe(false)
    expect(coverAll(granted, [])).toBe(true)
  })
})

function parsed(text: string): Scope {
  const one = parseScope(text)
  if (one === undefined) throw new Error(`${text} should be a scope`)
  return one
}
