import { expect, it } from 'vitest'
import { unavailable } from '../../../packages/faults/fault.ts'
import { noAnswer } from './no-answer.ts'

it.each([
  [unavailable('The store cannot be reached.', { logged: 'ECONNREFUSED' }), 'The store cannot be reached.'],
  [unavailable('The store did not answer within 10000 ms.'), 'The store did not answer within 10000 ms.'],
  [unavailable('The store did not decide.', { logged: 'status 403' }), 'The store did not decide (status 403).'],
  [unavailable('No token.', { logged: 'status 401 for x' }), 'No token.'],
])('what came instead of an answer is said: %s', (fault, told) => {
  expect(noAnswer('The FHIR store', fault)).toBe(`The FHIR store gave no answer. ${told}`)
})
