import { describe, expect, it } from 'vitest'
import { parseScope, parseScopes } from './parse.ts'
import { printScopes } from './print.ts'
import { specialScopeNames } from './scope.ts'

describe('a scope is read', () => {
  it.each([
    ['patient/Patient.rs', { context: 'patient', type: 'Patient', letters: 'rs', version: 2 }],
    ['patient/Patient.r', { letters: 'r' }],
    ['patient/Ab.r', { type: 'Ab' }],
    [`patient/A${'b'.repeat(63)}.r`, { letters: 'r' }],
    ['user/*.cruds', { context: 'user', type: '*', letters: 'cruds', version: 2 }],
    ['patient/Observation.read', { letters: 'rs', version: 1 }],
    ['system/*.write', { context: 'system', letters: 'cud', version: 1 }],
    ['user/Encounter.*', { letters: 'cruds', version: 1 }],
    ['system/ImmunizationRecommendation.cud', { type: 'ImmunizationRecommendation' }],
    [
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
      { letters: 'rs', query: 'category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory' },
    ],
    ['patient/Condition.s?category=a|b&clinical-status=active', { query: 'category=a|b&clinical-status=active' }],
    ['patient/Observation.rs?subject:Patient.name=x', { query: 'subject:Patient.name=x' }],
  ])('%s', (text, expected) => {
    expect(parseScope(text)).toMatchObject({ kind: 'resource', ...expected })
  })

  it.each(specialScopeNames)('%s, which is about no resource', (name) => {
    expect(parseScope(name)).toEqual({ kind: 'special', name })
  })
})

describe('a scope is unknown', () => {
  it.each([
    ['nothing', ''],
    ['letters out of order', 'patient/Patient.sr'],
    ['letters out of order', 'patient/Patient.dus'],
    ['a letter twice', 'patient/Patient.rr'],
    ['capital letters', 'patient/Patient.RS'],
    ['no letters', 'patient/Patient.'],
    ['a letter that is none', 'patient/Patient.rx'],
    ['no access', 'patient/Patient'],
    ['no context', 'Patient.rs'],
    ['a context that is none', 'practitioner/Patient.rs'],
    ['a context that is none and short', 'group/Patient.rs'],
    ['something before it', '!patient/Patient.rs'],
    ['something before it', 'launch/patient/Patient.rs'],
    ['a context in capitals', 'PATIENT/Patient.rs'],
    ['an inherited property as context', 'constructor/Patient.rs'],
    ['a type in small letters', 'patient/patient.rs'],
    ['a type of one letter', 'patient/P.rs'],
    ['an endless type', `patient/P${'a'.repeat(64)}.rs`],
    ['a type with digits', 'patient/Patient2.rs'],
    ['a partial wildcard', 'patient/Obs*.rs'],
    ['an empty query', 'patient/Observation.rs?'],
    ['a query without a value', 'patient/Observation.rs?category='],
    ['a query without a value', 'patient/Observation.rs?category'],
    ['a query with an empty condition', 'patient/Observation.rs?category=a&'],
    ['a query without a name', 'patient/Observation.rs?=a'],
    ['a query with broken percent signs', 'patient/Observation.rs?category=%zz'],
    ['a query with a broken UTF-8 sequence', 'patient/Observation.rs?category=%ff'],
    ['a query that only shapes the answer', 'patient/Observation.rs?_count=1'],
    ['a query that only shapes the answer', 'patient/Observation.rs?category=a&_include=Observation:subject'],
    ['a query that widens the answer', 'patient/Observation.rs?_include:iterate=Observation:subject'],
    ['a query with a quote', 'patient/Observation.rs?category="a"'],
    ['a query with a line break', 'patient/Observation.rs?category=a\n'],
    ['an endless query', `patient/Observation.rs?category=${'a'.repeat(1_000)}`],
    ['a query of endless conditions', `patient/Observation.rs?${Array(17).fill('a=b').join('&')}`],
    ['a query in version 1', 'patient/Observation.read?category=a'],
    ['a query in version 1', 'patient/Observation.*?category=a'],
    ['a trailing line break', 'patient/Patient.rs\n'],
    ['an unknown special', 'launch/questionnaire?role=http://a'],
    ['an unknown special', 'openId'],
  ])('with %s: %j', (_why, text) => {
    expect(parseScope(text)).toBeUndefined()
  })
})

describe('a list of scopes', () => {
  it('keeps what is understood, in its order, each once', () => {
    const text = 'launch  openid launch/questionnaire patient/Patient.rs patient/Patient.dus openid patient/*.read'
    expect(printScopes(parseScopes(text))).toBe('launch openid patient/Patient.rs patient/*.read')
  })
})
