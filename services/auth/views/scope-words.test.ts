import { describe, expect, it } from 'vitest'
import { scopeInWords } from './scope-words.ts'

describe('a scope in words', () => {
  it.each([
    ['openid', 'Know that it is you'],
    ['offline_access', 'Go on when you are signed out'],
    ['patient/Observation.rs', 'Read measurements and results of this patient'],
    ['patient/*.cruds', 'Read and change everything of this patient'],
    ['user/Patient.write', 'Change name, birth date and contacts that you can see'],
    ['patient/CarePlan.r', 'Read care plan of this patient'],
    ['something else', 'something else'],
  ])('%s is "%s"', (scope, words) => {
    expect(scopeInWords(scope)).toBe(words)
  })
})
