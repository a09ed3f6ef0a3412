import { describe, expect, it } from 'vitest'
import { challengeOf } from '../../../packages/http/challenge.ts'
import { signedIn } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { AccessConditions } from './access.ts'
import { requireScope } from './needed-scope.ts'

const nothing: AccessConditions = { of: () => 'none' }
const something: AccessConditions = { of: () => [{ patient: 'amina' }] }

describe('a caller without a scope for the type', () => {
  it.each<[string, Partial<Caller>, string]>([
    ['a patient is in context', { patient: 'amina', fhirUser: 'Practitioner/dr-amara' }, 'patient/Observation.s'],
    ['somebody signed in', { fhirUser: 'Practitioner/dr-amara' }, 'user/Observation.s'],
    ['a program calls', {}, 'system/Observation.s'],
  ])('is told which one is needed: %s', (_why, given, scope) => {
    const fault = faultOf(() => requireScope(nothing, 'Observation', 's', given as Caller))
    expect(fault).toMatchObject({ kind: 'forbidden', code: 'insufficient_scope', scopes: [scope] })
    expect(challengeOf(fault as never, signedIn)).toBe(
      `Bearer realm="corridor", error="insufficient_scope", ` +
        `error_description="The access token lacks the scope ${scope}.", scope="${scope}"`,
    )
  })
})

it('a caller with a bounded scope passes, and learns nothing of what lies beyond', () => {
  expect(() => requireScope(something, 'Observation', 's', {} as Caller)).not.toThrow()
})

function faultOf(work: () => void): unknown {
  try {
    work()
  } catch (thrown) {
    return thrown
  }
  return undefined
}
