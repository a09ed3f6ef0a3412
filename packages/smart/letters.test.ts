import { describe, expect, it } from 'vitest'
import { version1Of } from './letters.ts'
import { scopeContexts, specialScopeNames } from './scope.ts'

describe('the words of SMART', () => {
  it.each([
    ['rs', 'read'],
    ['cud', 'write'],
    ['cruds', '*'],
    ['r', undefined],
    ['', undefined],
  ])('have in version 1 for %j: %s', (letters, word) => {
    expect(version1Of(letters)).toBe(word)
  })

  it('are these, beside the ones about resources', () => {
    const identity = ['openid', 'fhirUser', 'profile']
    const launch = ['launch', 'launch/patient', 'launch/encounter']
    expect(specialScopeNames).toEqual([...identity, ...launch, 'offline_access', 'online_access'])
    expect(scopeContexts).toEqual(['patient', 'user', 'system'])
  })
})
