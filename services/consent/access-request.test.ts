import { describe, expect, it } from 'vitest'
import { fhirOperations, letterOf, operationOfMethod } from './access-request.ts'

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
