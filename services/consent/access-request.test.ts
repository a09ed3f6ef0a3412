import { describe, expect, it } from 'vitest'
import { fhirOperations, letterOf, operationOfMethod, purposeCode, purposePattern } from './access-request.ts'

describe('an operation', () => {
  it.each([
    ['READ', 'r'],
    ['SEARCH', 's'],
    ['CREATE', 'c'],
    ['UPDATE', 'u'],
    ['DELETE', 'd'],
  ] as const)('%s is the letter %s of a scope', (operation, letter) => {
    expect(fhirOperations).toContain(operation)
    expect(letterOf[operation]).toBe(letter)
  })

  it.each([
    ['GET', 'READ'],
    ['POST', 'CREATE'],
    ['PUT', 'UPDATE'],
    ['PATCH', 'UPDATE'],
    ['DELETE', 'DELETE'],
  ] as const)('that comes as %s is %s', (method, operation) => {
    expect(operationOfMethod[method]).toBe(operation)
  })
})

describe('a purpose of use', () => {
  it.each([
    ['TREATMENT', 'TREAT'],
    ['treatment', 'TREAT'],
    ['EMERGENCY', 'ETREAT'],
    ['RESEARCH', 'HRESCH'],
    ['PUBLIC-HEALTH', 'PUBHLTH'],
    ['public_health', 'PUBHLTH'],
    ['PAYMENT', 'HPAYMT'],
    ['OPERATIONS', 'HOPERAT'],
    ['BREAK_GLASS', 'BTG'],
    ['TREAT', 'TREAT'],
    ['x_local_y', 'X-LOCAL-Y'],
  ])('%s has the code %s', (word, code) => {
    expect(purposeCode(word)).toBe(code)
  })

  it.each([
    ['T', true],
    ['TREAT', true],
    ['urn:x.y_z-1', true],
    ['A'.repeat(64), true],
    ['A'.repeat(65), false],
    ['', false],
    [' TREAT', false],
    ['TREAT!', false],
    ['TREAT\n', false],
  ])('%j can be one: %s', (text, expected) => {
    expect(purposePattern.test(text)).toBe(expected)
  })
})
