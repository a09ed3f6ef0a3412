import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOwnersOf } from './compartment.ts'
import { loadDefinitions } from './definitions.ts'
import { createExtract } from './search/extract.ts'
import { createValidate } from './validate/validator.ts'
import { officialExamples } from './testing/official-examples.ts'

/** Puts junk into one place of a JSON value; the numbers choose the way down. */
function mutate(value: unknown, way: readonly number[], junk: unknown): unknown {
  if (way.length === 0 || typeof value !== 'object' || value === null) return junk
  const entries = Object.entries(value)
  if (entries.length === 0) return junk
  const [name, inner] = entries[(way[0] ?? 0) % entries.length] ?? ['', undefined]
  const changed = mutate(inner, way.slice(1), junk)
  return Array.isArray(value)
    ? value.map((item: unknown) => (item === inner ? changed : item))
    : { ...value, [name]: changed }
}

describe('on resources that were damaged', () => {
  it('validator, extraction and compartments never throw', async () => {
    const definitions = await loadDefinitions()
    const validate = createValidate(definitions)
    const extract = createExtract(definitions)
    const ownersOf = createOwnersOf('Patient', definitions)
    const examples = [...officialExamples(/^(Patient|Observation|Bundle|Timing|Appointment|MedicationRequest|Group)-/)]
      .filter(({ text }) => text.length < 20_000)
      .map(({ text }) => JSON.parse(text) as object)
    const junk = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(null, [], {}, '', [null], { __proto__: null }, '#', 'Patient/', -0),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...examples),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }),
        junk,
        (example, way, value) => {
          const damaged = mutate(example, way, value)
          expect(Array.isArray(validate(damaged))).toBe(true)
          if (typeof damaged !== 'object' || damaged === null) return
          extract(damaged)
          ownersOf(damaged)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('the validator never throws on any JSON at all', async () => {
    const validate = createValidate(await loadDefinitions())
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('Patient', 'Bundle', 'Parameters', 'Observation'),
        (value, resourceType) => {
          expect(Array.isArray(validate(value))).toBe(true)
          validate({ resourceType, ...(typeof value === 'object' && !Array.isArray(value) ? value : { x: value }) })
        },
      ),
    )
  })

  it('a member called __proto__ is refused and changes nothing', async () => {
    const validate = createValidate(await loadDefinitions())
    const issues = validate(JSON.parse('{"resourceType":"Patient","__proto__":{"gender":"male"},"constructor":1}'))
    expect(issues.map(({ path }) => path)).toEqual(['Patient.__proto__', 'Patient.constructor'])
  })
})
