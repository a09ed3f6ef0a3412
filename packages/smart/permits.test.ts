import { describe, expect, it } from 'vitest'
import type { Letter } from './letters.ts'
import { parseScopes } from './parse.ts'
import { permits, permittedOperations, queriesFor } from './permits.ts'
import type { ScopeContext } from './scope.ts'

describe('scopes permit an access', () => {
  it.each<[string, ScopeContext, string, Letter, boolean]>([
    ['patient/Patient.rs', 'patient', 'Patient', 'r', true],
    ['patient/Patient.rs', 'patient', 'Patient', 's', true],
    ['patient/*.read', 'patient', 'Observation', 's', true],
    ['system/*.write', 'system', 'Patient', 'u', true],
    ['system/*.read', 'system', '*', 'r', true],
    ['openid user/Patient.r user/Patient.u', 'user', 'Patient', 'u', true],

    ['patient/Patient.rs', 'patient', 'Patient', 'c', false],
    ['patient/Patient.rs', 'user', 'Patient', 'r', false],
    ['patient/Patient.rs', 'patient', 'Observation', 'r', false],
    ['system/Patient.read', 'system', '*', 'r', false],
    ['system/*.read', 'system', 'Patient', 'd', false],
    ['patient/Observation.rs?category=lab', 'patient', 'Observation', 'r', false],
    ['openid launch', 'patient', 'Patient', 'r', false],
    ['', 'patient', 'Patient', 'r', false],
  ])('%j: %s, %s, %s is %s', (scopes, context, type, operation, expected) => {
    expect(permits(parseScopes(scopes), { context, type, operation })).toBe(expected)
  })
})

describe('the queries that confine an access', () => {
  const observations = { context: 'patient', type: 'Observation', operation: 's' } as const

  it.each([
    ['nothing confines it', 'patient/Observation.rs', undefined],
    ['a wider scope frees it', 'patient/Observation.rs?category=lab patient/*.rs', undefined],
    [
      'each granular scope adds one',
      'patient/Observation.rs?category=a|b patient/Observation.s?code=x',
      ['category=a|b', 'code=x'],
    ],
    ['two spellings are one', 'patient/Observation.s?a=x%7Cy patient/Observation.rs?a=x|y', ['a=x%7Cy']],
    ['a query over every type counts', 'patient/*.rs?_security=N', ['_security=N']],
    ['a query for other letters does not', 'patient/Observation.r?category=lab', []],
    ['a query for another type does not', 'patient/Condition.rs?category=lab', []],
    ['a query in another context does not', 'user/Observation.rs?category=lab', []],
    ['no scope, no access', 'openid', []],
  ])('%s: %j', (_why, scopes, expected) => {
    expect(queriesFor(parseScopes(scopes), observations)).toEqual(expected)
  })
})

describe('the operations that scopes permit', () => {
  it.each([
    ['patient/Patient.rs', 'rs'],
    ['patient/Patient.read', 'rs'],
    ['patient/Patient.write', 'cud'],
    ['patient/Patient.read patient/Observation.write', 'cruds'],
    ['patient/Patient.*', 'cruds'],
    ['patient/Patient.s patient/Patient.c', 'cs'],
    ['patient/Observation.r?category=lab', 'r'],
    ['launch openid', ''],
    ['', ''],
  ])('%j are %j', (scopes, operations) => {
    expect(permittedOperations(parseScopes(scopes))).toBe(operations)
  })
})
