import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions, type Definitions } from '../../../../packages/fhir/definitions.ts'
import { knownNames } from './known-names.ts'
import { searchLimits } from './parse-context.ts'

describe('a name is known', () => {
  let definitions: Definitions
  beforeAll(async () => {
    definitions = await loadDefinitions()
  })

  it.each([
    ['Patient', 'gender', true],
    ['Patient', 'zzz', false],
    ['Patient', 'zzz:exact', false],
    ['Observation', 'subject.birthdate', true],
    ['Observation', 'subject:Location.birthdate', false],
    ['Observation', 'subject.organization.name', true],
    ['Observation', 'subject.organization.zzz', false],
    // Wrong in another way, and to be told so.
    ['Patient', 'name.given', true],
    ['Patient', '_text', true],
    ['Patient', 'link:Observation.zzz', true],
    ['Patient', '_has:Observation:patient:zzz', true],
    ['Patient', 'link.link.link.link.link.link.zzz', true],
  ])('of %s, %s: %s', (type, name, isKnown) => {
    expect(knownNames({ definitions, limits: searchLimits })(type, name)).toBe(isKnown)
  })

  it('at the cost of the types, and not of the ways between them', () => {
    let asked = 0
    const counted = {
      parameter: (type: string, code: string) => {
        asked++
        return definitions.parameter(type, code)
      },
    }
    const knows = knownNames({ definitions: counted, limits: searchLimits })
    expect(knows('ActivityDefinition', 'derived-from.derived-from.subject.subject.zzz')).toBe(false)
    expect(asked).toBeLessThan(5 * definitions.resourceTypes.size)
  })
})
