import { describe, expect, it } from 'vitest'
import { intersectAll } from './intersect.ts'
import { parseScope, parseScopes } from './parse.ts'
import { printScopes } from './print.ts'

describe('what is granted of a request', () => {
  it.each([
    [
      'all of it, word for word',
      'launch openid patient/Patient.rs',
      'patient/*.cruds openid launch',
      'launch openid patient/Patient.rs',
    ],
    ['version 1 in version 1', 'patient/Patient.read', 'patient/*.rs', 'patient/Patient.read'],
    ['version 2 in version 2', 'patient/Patient.rs', 'patient/*.read', 'patient/Patient.rs'],
    ['version 1 in letters where it has no word', 'patient/Patient.read', 'patient/Patient.r', 'patient/Patient.r'],
    ['version 1 in its word where one fits', 'patient/Patient.*', 'patient/Patient.rs', 'patient/Patient.read'],
    ['the shared letters', 'user/Encounter.cruds', 'user/Encounter.rud', 'user/Encounter.rud'],
    [
      'the types that are allowed',
      'patient/*.rs',
      'patient/Patient.rs patient/Observation.r',
      'patient/Patient.rs patient/Observation.r',
    ],
    ['nothing that a wider one says', 'patient/*.rs', 'patient/Patient.rs patient/*.rs', 'patient/*.rs'],
    [
      'letters that were allowed one by one',
      'patient/Patient.read',
      'patient/Patient.r patient/*.s',
      'patient/Patient.read',
    ],
    [
      'a granular scope as written',
      'patient/Observation.rs?category=a|b',
      'patient/*.rs',
      'patient/Observation.rs?category=a|b',
    ],
    [
      'only the granular part that is allowed',
      'patient/Observation.read',
      'patient/Observation.rs?category=a|b',
      'patient/Observation.rs?category=a|b',
    ],
    [
      'a granular scope however it is spelled',
      'patient/Observation.rs?a=x%7Cy',
      'patient/Observation.r?a=x|y',
      'patient/Observation.r?a=x%7Cy',
    ],
    ['each once', 'patient/*.read patient/Patient.read', 'patient/Patient.rs', 'patient/Patient.read'],
    [
      'both of two that were asked for, though one says more',
      'patient/*.rs patient/Patient.rs',
      'patient/*.rs',
      'patient/*.rs patient/Patient.rs',
    ],

    ['nothing of another context', 'system/*.rs patient/Patient.rs', 'user/*.cruds', ''],
    ['nothing where no letter is shared', 'patient/Patient.write', 'patient/Patient.read', ''],
    ['nothing where the queries differ', 'patient/Observation.rs?a=1', 'patient/Observation.rs?a=2', ''],
    ['no special that is not allowed', 'offline_access launch/patient', 'online_access launch', ''],
    ['nothing for nothing', '', 'patient/*.cruds', ''],
    ['nothing where nothing is allowed', 'patient/*.cruds openid', '', ''],
  ])('%s: %j × %j', (_why, requested, allowed, granted) => {
    expect(printScopes(intersectAll(parseScopes(requested), parseScopes(allowed)))).toBe(granted)
  })
})

describe('what two scopes share', () => {
  it.each([
    ['patient/Patient.read', 'patient/Patient.rs', { letters: 'rs', version: 1 }],
    ['patient/Patient.read', 'patient/Patient.r', { letters: 'r', version: 2 }],
    ['patient/Patient.read', 'patient/Patient.rs?a=1', { version: 2, query: 'a=1' }],
    ['patient/*.rs', 'patient/Patient.s', { type: 'Patient', letters: 's', version: 2 }],
    ['launch', 'launch', { kind: 'special', name: 'launch' }],
  ])('%s and %s: %j', (some, other, expected) => {
    expect(shared(some, other)).toMatchObject(expected)
  })

  it.each([
    ['launch', 'launch/patient'],
    ['launch', 'patient/Patient.rs'],
    ['patient/Patient.c', 'patient/Patient.rs'],
  ])('%s and %s: nothing', (some, other) => {
    expect(shared(some, other)).toBeUndefined()
  })
})

function shared(some: string, other: string) {
  const [requested, allowed] = [parseScope(some), parseScope(other)]
  if (requested === undefined || allowed === undefined) throw new Error(`${some} and ${other} should be scopes`)
  return intersectAll([requested], [allowed])[0]
}
