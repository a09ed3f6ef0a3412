import { beforeAll, describe, expect, it } from 'vitest'
import { type Definitions, loadDefinitions } from './definitions.ts'

describe('the compiled definitions', () => {
  let definitions: Definitions
  beforeAll(async () => {
    definitions = await loadDefinitions()
  })

  it('know every resource type of R4 and no abstract one', () => {
    expect(definitions.resourceTypes.size).toBe(146)
    expect(definitions.resourceTypes.has('Patient')).toBe(true)
    expect(definitions.resourceTypes.has('DomainResource')).toBe(false)
    expect(definitions.type('Patient.contact')?.base).toBe('BackboneElement')
    expect(definitions.type('NoSuchThing')).toBeUndefined()
  })

  it('give inherited elements first', () => {
    const names = definitions.elementsOf('Patient').map(({ name }) => name)
    expect(names.slice(0, 9)).toEqual([
      'id',
      'meta',
      'implicitRules',
      'language',
      'text',
      'contained',
      'extension',
      'modifierExtension',
      'identifier',
    ])
    expect(definitions.elementsOf('NoSuchThing')).toEqual([])
  })

  it('keep choices, cardinality, targets and bindings', () => {
    const byName = new Map(definitions.elementsOf('Observation').map((element) => [element.name, element]))
    expect(byName.get('status')).toMatchObject({ min: 1, codes: 'observation-status', summary: true, modifier: true })
    expect(byName.get('value')).toMatchObject({ choice: true, summary: true })
    expect(byName.get('value')?.types).toContain('Quantity')
    expect(byName.get('category')).toMatchObject({ max: '*' })
    expect(byName.get('subject')?.targets).toEqual(['Patient', 'Group', 'Device', 'Location'])
    expect(definitions.elementsOf('Questionnaire.item').find(({ name }) => name === 'item')?.types).toEqual([
      'Questionnaire.item',
    ])
  })

  it('expand required code sets, also from several systems', () => {
    expect(definitions.codeSet('administrative-gender')).toEqual({
      'http://hl7.org/fhir/administrative-gender': ['male', 'female', 'other', 'unknown'],
    })
    expect(Object.keys(definitions.codeSet('all-types') ?? {})).toHaveLength(3)
    expect(definitions.codeSet('mimetypes')).toBeUndefined()
  })

  it('tell which elements summaries keep and which must not go', () => {
    expect(definitions.summaryElements('Patient')).toContain('deceasedBoolean')
    expect(definitions.summaryElements('Patient')).not.toContain('photo')
    expect(definitions.mandatoryElements('Observation')).toEqual(['status', 'code'])
    expect(definitions.modifierElements('Patient')).toEqual([
      'implicitRules',
      'modifierExtension',
      'active',
      'deceasedBoolean',
      'deceasedDateTime',
      'link',
    ])
  })

  it('hold all search parameters of a type, inherited and our own ones too', () => {
    const codes = [...definitions.parametersOf('Observation').keys()]
    expect(codes).toEqual(expect.arrayContaining(['_id', '_lastUpdated', '_profile', 'code-value-quantity', 'subject']))
    expect(definitions.parameter('Observation', 'interpretation')).toMatchObject({ type: 'token' })
    expect(definitions.parameter('Observation', 'no-such')).toBeUndefined()
    expect(definitions.parameter('Patient', 'birthdate')).toMatchObject({ type: 'date', modifiers: ['missing'] })
    expect(definitions.parameter('Patient', 'birthdate')?.prefixes).toContain('ge')
    // 1,400 in the package without three examples and twelve that say no type or no expression, and one of our own.
    const all = [...definitions.resourceTypes].flatMap((type) => [...definitions.parametersOf(type).values()])
    expect(new Set(all.map(({ url }) => url)).size).toBe(1386)
  })

  it('hold the five compartments', () => {
    expect(definitions.compartmentNames).toEqual(['Patient', 'Encounter', 'Practitioner', 'RelatedPerson', 'Device'])
    expect(definitions.compartmentParameters('Patient', 'Observation')).toEqual(['subject', 'performer'])
    expect(definitions.compartmentParameters('Patient', 'Organization')).toEqual([])
    expect(definitions.compartmentParameters('Patient', 'constructor')).toEqual([])
    expect(definitions.parametersOf('constructor').size).toBe(0)
  })
})
