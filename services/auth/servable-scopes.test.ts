import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import { parseScope } from '../../packages/smart/parse.ts'
import { scopesSupported } from './discovery/supported.ts'
import { servableScopes } from './servable-scopes.ts'

const isServable = servableScopes(await loadDefinitions())
const isServed = (word: string) => {
  const scope = parseScope(word)
  return scope !== undefined && isServable(scope)
}

describe('a scope', () => {
  it.each([
    ...scopesSupported,
    'patient/*.rs?_lastUpdated=gt2020',
    'patient/*.rs?category=laboratory',
    'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
    'patient/Observation.rs?category:not=laboratory&status=final',
    'user/Observation.rs?subject:Patient=amina&_tag=x',
    'system/Patient.rs?family:exact=Diallo&_id=a,b',
    'system/Patient.rs?birthdate:missing=true',
    'system/ValueSet.rs?url:below=http://example.org',
  ])('is granted where the store understands it: %s', (word) => {
    expect(isServed(word)).toBe(true)
  })

  it.each([
    'patient/Nonsense.rs',
    'system/Resource.rs',
    'patient/DomainResource.cruds',
    'patient/Nonsense.rs?_id=a',
    'patient/Observation.rs?foo=bar',
    'patient/Observation.rs?status=final&foo=bar',
    'patient/Observation.rs?category:foo=laboratory',
    'patient/Observation.rs?category:in=http://example.org/set',
    'patient/Observation.rs?category:below=laboratory',
    'patient/Observation.rs?category:not:not=laboratory',
    'patient/Observation.rs?subject:Nonsense=a',
    'patient/Observation.rs?category:Patient=a',
    'patient/Observation.rs?subject.family=Diallo',
    'patient/Observation.rs?_has:Observation:patient:code=a',
    'patient/*.rs?foo=bar',
  ])('is not where it could only give nothing: %s', (word) => {
    expect(isServed(word)).toBe(false)
  })
})
