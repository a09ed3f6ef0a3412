import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../../packages/fhir/definitions.ts'
import { Fault } from '../../../../packages/faults/fault.ts'
import { searchLimits, type ParseContext } from './parse-context.ts'
import { parseSearch } from './parse-search.ts'
import { pairsOf } from './query-text.ts'

describe('reading a query', () => {
  let context: ParseContext
  beforeAll(async () => {
    const definitions = await loadDefinitions()
    context = { definitions, ownBases: ['http://own/fhir'], now: new Date('2024-06-01'), limits: searchLimits }
  })

  const parse = (query: string, options: { type?: string | undefined; strict?: boolean } = {}) =>
    parseSearch(pairsOf(query), { type: 'Patient', strict: true, ...options }, context)

  const refusalOf = (query: string, options?: { type?: string | undefined; strict?: boolean }): Fault => {
    try {
      parse(query, options)
    } catch (thrown) {
      if (thrown instanceof Fault) return thrown
      throw thrown
    }
    throw new Error(`${query} was not refused`)
  }

  it.each([
    ['colour=red', 'colour', 'The parameter colour is not known for Patient.'],
    ['name:exakt=x', 'name:exakt', 'a string does not have; it may have :missing, :exact or :contains.'],
    [
      'gender:contains=x',
      'gender:contains',
      'it may have :missing, :text, :not, :above, :below, :in, :not-in or :of-type.',
    ],
    [
      '_lastUpdated:missing=true',
      '_lastUpdated:missing',
      'has a modifier that _lastUpdated does not take; it takes none.',
    ],
    ['birthdate:not=2024', 'birthdate:not', 'it may have :missing.'],
    [
      'general-practitioner:below=1',
      'general-practitioner:below',
      ':missing or :identifier, or the type of the target',
    ],
    ['general-practitioner:Patient=1', 'general-practitioner:Patient', 'never refers to a Patient'],
    ['birthdate=yesterday', 'birthdate', 'needs a date such as 2024'],
    ['birthdate=2024-02-30', 'birthdate', 'needs a date such as 2024'],
    ['birthdate=xx2024', 'birthdate', 'after one of eq, ne, gt, lt, ge, le, sa, eb or ap'],
    ['birthdate=ge', 'birthdate', 'needs a date'],
    ['gender:missing=maybe', 'gender:missing', 'must be true or false.'],
    ['identifier=a|b|c', 'identifier', 'more than one |'],
    ['identifier=|', 'identifier', 'neither a system nor a code'],
    ['identifier=a,,b', 'identifier', 'has an empty value.'],
    ['name=´', 'name', 'has an empty value.'],
    ['name=Amina,%CC%81', 'name', 'has an empty value.'],
    ['name:contains=%20´', 'name:contains', 'has an empty value.'],
    ['name:exact=%20', 'name:exact', 'has an empty value.'],
    ['identifier:text=´', 'identifier:text', 'has an empty value.'],
    ['identifier:text=%20', 'identifier:text', 'has an empty value.'],
    ['identifier:of-type=a|b', 'identifier:of-type', 'system|code|value'],
    ['gender:below=x', 'gender:below', 'needs a value of the form system|code.'],
    ['name.given=x', 'name.given', 'chains through name, which is not a reference.'],
    ['general-practitioner.colour=x', 'general-practitioner.colour', 'is not known for'],
    ['link:Observation.code=x', 'link:Observation.code', 'never refers to a Observation'],
    ['_has:Colour:patient:code=x', '_has:Colour:patient:code', 'must name a resource type first'],
    ['_has:Observation:code:code=x', '_has:Observation:code:code', 'which is not a reference'],
    ['_has:Observation:patient=x', '_has:Observation:patient', '_has:Type:reference:parameter'],
    ['_has:Observation:encounter:code=x', '_has:Observation:encounter:code', 'never refers to a Patient'],
    ['_text=x', '_text', 'is not supported'],
    ['_content=x', '_content', 'is not supported'],
    ['phonetic=ana', 'phonetic', 'is not supported'],
    ['_list=42', '_list', 'is not supported'],
    ['_contained=true', '_contained', 'is not supported'],
    ['_containedType=contained', '_containedType', 'is not supported'],
    ['_filter=x', '_filter', 'is not supported'],
    ['_sort=colour', '_sort', 'names a parameter that the searched type does not have'],
    ['_sort=a,b,c,d,e,f', '_sort', 'more than 5 keys'],
    ['_sort=name,birthdate,gender&_sort=_id,family,given', '_sort', 'more than 5 keys'],
    ['_count=-1', '_count', 'whole number'],
    ['_count=many', '_count', 'whole number'],
    ['_total=all', '_total', 'none, estimate or accurate'],
    ['_summary=short', '_summary', 'true, text, data, count or false'],
    ['_elements=na me', '_elements', 'names of elements'],
    ['_include=Patient', '_include', 'Type:parameter'],
    ['_include=Colour:x', '_include', 'Type:parameter'],
    [
      '_include=Patient:name',
      '_include',
      'must name a reference of Patient: general-practitioner, link or organization.',
    ],
    ['_include=Patient:link:Colour', '_include', 'target type that does not exist'],
    ['_include:twice=Patient:link', '_include:twice', 'it may have :iterate'],
    ['name=a%00b', 'name', 'NUL'],
    ['name=%ff', 'name', 'not well encoded'],
    ['_id:missing=true', '_id:missing', 'it may have :not.'],
  ])('refuses %s and names %s', (query, parameter, message) => {
    const fault = refusalOf(query)
    expect(fault.kind).toBe('incorrect')
    expect(fault.fields).toHaveLength(1)
    expect(fault.fields[0]?.path).toBe(`http.${parameter}`)
    expect(fault.shown).toContain(message)
  })

  it('never repeats the value that it refuses, which may be a name', () => {
    for (const query of [
      'birthdate=Secretname',
      'identifier=Secretname|b|c',
      '_count=Secretname',
      'gender:missing=Secretname',
    ]) {
      expect(JSON.stringify(refusalOf(query).fields)).not.toContain('Secretname')
    }
  })

  it('leaves out what it does not know when lenient, and says so', () => {
    const { warnings, understood, branches } = parse('colour=red&gender=male', { strict: false })
    expect(warnings).toEqual([
      { parameter: 'colour', message: 'The parameter colour is not known for Patient. It was ignored.' },
    ])
    expect(understood).toEqual([['gender', 'male']])
    expect(branches[0]?.conditions).toHaveLength(1)
  })

  it('refuses a modifier or a value that makes no sense also when lenient', () => {
    for (const query of ['gender:contains=x', 'birthdate=yesterday', '_sort=colour']) {
      expect(refusalOf(query, { strict: false }).kind).toBe('incorrect')
    }
  })

  it('ignores a parameter without a value, as forms send them', () => {
    expect(parse('gender=&name=').branches[0]?.conditions).toEqual([])
  })

  it('reads a plus as a space and an encoded plus as a plus', () => {
    expect(pairsOf('?a=1+2%2B3&b&=c')).toEqual([
      ['a', '1 2+3'],
      ['b', ''],
      ['', 'c'],
    ])
  })

  it('follows at most four references', () => {
    expect(() => parse('link.link.link.link.gender=male')).not.toThrow()
    expect(refusalOf('link.link.link.link.link.gender=male').shown).toContain('follows more than 4 references')
  })

  it('takes at most a thousand alternatives and 64 parameters', () => {
    const many = Array.from({ length: 1_001 }, (_each, index) => index)
    expect(refusalOf(`identifier=${many.join(',')}`).shown).toContain('more than 1000 alternatives')
    expect(
      refusalOf(
        many
          .slice(0, 65)
          .map((each) => `_id=${each}`)
          .join('&'),
      ).shown,
    ).toContain('64 are the limit')
  })

  it('takes no search that fans out over too many types', () => {
    const chain = 'actor.link:Patient.general-practitioner.endpoint.identifier=1'
    expect(() => parse(chain, { type: 'Appointment' })).not.toThrow()
    const many = Array.from({ length: 60 }, () => 'actor.identifier=1').join('&')
    expect(refusalOf(many, { type: 'Appointment' }).shown).toContain('more than 256 look-ups')
    const types = [...context.definitions.resourceTypes].filter((type) =>
      context.definitions.parametersOf(type).has('identifier'),
    )
    const wide = `_type=${types.join(',')}&identifier=1&identifier=2&identifier=3`
    expect(refusalOf(wide, { type: undefined }).shown).toContain('Name fewer types')
  })

  it('follows a chain that names no type only where it leads somewhere', () => {
    const [branch] = parse('subject.birthdate=2000', { type: 'Observation' }).branches
    expect(branch?.conditions).toMatchObject([{ targets: [{ type: 'Patient' }] }])
    // 48,393 ways, of which none has the last name; one is gone to say so.
    const nowhere = pairsOf('derived-from.derived-from.subject.subject.zzz=1')
    const within = (lookupsMax: number, strict = false) =>
      parseSearch(
        nowhere,
        { type: 'ActivityDefinition', strict },
        { ...context, limits: { ...searchLimits, lookupsMax } },
      )
    expect(within(5).warnings).toMatchObject([{ message: expect.stringContaining('is not known for') }])
    expect(() => within(5, true)).toThrow('is not known for')
  })

  it('counts the types of a chain while it reads it', () => {
    const ways = 'derived-from.derived-from.subject.subject._id=1'
    expect(refusalOf(ways, { type: 'ActivityDefinition' }).shown).toContain('more than 256 look-ups')
    // Two look-ups each.
    const chains = (count: number) => Array.from({ length: count }, () => 'link:Patient.gender=male')
    const limits = { ...searchLimits, lookupsMax: 20 }
    const within = (query: string[]) =>
      parseSearch(pairsOf(query.join('&')), { type: 'Patient', strict: true }, { ...context, limits })
    expect(() => within(chains(10))).not.toThrow()
    expect(() => within([...chains(10), 'gender=male'])).toThrow('more than 20 look-ups')
  })

  describe('compares with so many values', () => {
    const ids = (count: number, prefix = '') => Array.from({ length: count }, (_each, at) => `${prefix}${at}`).join(',')
    const [focusTypes, allTypes] = [145, 146]
    const within = (valuesMax: number, query: string, type: string | undefined) =>
      parseSearch(pairsOf(query), { type, strict: true }, { ...context, limits: { ...searchLimits, valuesMax } })

    it('as the database is quick with, a thousand of each kind among them', () => {
      for (const query of [
        ...[`patient=${ids(1_000)}`, `_id=${ids(1_000)}`, `focus=${ids(1_000, 'Patient/')}`, `focus=${ids(137)}`],
        ...[`code=${ids(1_000, 's|')}`, `date=${ids(1_000, '2024-01-01T10:00:00.')}`],
        `value-quantity=${ids(1_000)}`,
      ]) {
        expect(() => parse(query, { type: 'Observation' })).not.toThrow()
      }
      const refusal = refusalOf(`focus=${ids(138)}`, { type: 'Observation' })
      expect(refusal.fields).toHaveLength(1)
      expect(refusal.shown).toContain('more than 20000 values. Name the type, such as focus=Patient/1.')
    })

    it.each([
      ['focus=1', focusTypes],
      ['focus=1,2', 2 * focusTypes],
      ['focus=1&focus=2', 2 * focusTypes],
      ['focus:Patient=1,2', 2],
      ['focus=Patient/1,http://elsewhere/fhir/Patient/1', 2],
      ['subject=1', 4],
      ['patient=1,2,3', 3],
      ['_id=1,2', 2],
      ['_id:not=1,2', 2],
      ['subject:Patient.organization._id=1,2', 2],
      ['has-member.focus=1', focusTypes],
      ['_has:Provenance:target:_id=1,2', 2],
      ['code=a,s|b', 2],
      ['date=2024,gt2025', 6],
      ['value-quantity=1,2', 16],
      ['combo-code-value-quantity=a$1', 9],
    ])('%s has %i', (query, values) => {
      expect(() => within(values, query, 'Observation')).not.toThrow()
      expect(() => within(values - 1, query, 'Observation')).toThrow('too large')
    })

    it.each([
      ['url=http://a/b/c', 3],
      ['url:below=http://a/b/c', 3],
      ['url:above=http://a/b/c', 5],
      ['name=x', 2],
      ['version=1', 1],
    ])('%s of a ValueSet has %i', (query, values) => {
      expect(() => within(values, query, 'ValueSet')).not.toThrow()
      expect(() => within(values - 1, query, 'ValueSet')).toThrow('too large')
    })

    it('and with what is above an address of 2,000 characters', () => {
      const above = (length: number) => `url:above=${'http://a/'.padEnd(length, '/x')}`
      expect(() => parse(above(2_000), { type: 'ValueSet' })).not.toThrow()
      expect(refusalOf(above(2_001), { type: 'ValueSet' }).shown).toContain('an address of at most 2000 characters')
    })

    it('in every type that is searched', () => {
      expect(() => within(2 * allTypes, '_id=1,2', undefined)).not.toThrow()
      expect(() => within(2 * allTypes - 1, '_id=1,2', undefined)).toThrow('Name the type, such as _type=Patient')
      expect(() => within(4, '_type=Patient,Group&_id=1,2', undefined)).not.toThrow()
    })

    it('within combinations, too', () => {
      expect(() => within(allTypes + 1, 'relationship=replaces$1', 'DocumentReference')).not.toThrow()
      expect(() => within(allTypes, 'relationship=replaces$1', 'DocumentReference')).toThrow('too large')
    })
  })

  it('counts once what means the same for all types', () => {
    expect(() => parse('_lastUpdated=2024&_id=1', { type: undefined })).not.toThrow()
    const identified = [...context.definitions.resourceTypes].filter((type) =>
      context.definitions.parametersOf(type).has('identifier'),
    )
    expect(() => parse(`_type=${identified.join(',')}&identifier=1&_id=1&_id=2`, { type: undefined })).not.toThrow()
  })

  it('cuts a page to the largest size, and takes 0 for a wish to count only', () => {
    expect(parse('_count=100000').count).toBe(searchLimits.countMax)
    const counts = ['_count=0', '_count=0&_summary=true', '_summary=true&_count=0', '_count=0&_elements=name']
    for (const query of counts) expect(parse(query).shape).toEqual({ kind: 'count' })
    expect(parse('_count=0&_summary=text&_count=5').shape).toEqual({ kind: 'summary', of: 'text' })
  })

  it('searches every type, or those named, without a type', () => {
    expect(parse('_id=1', { type: undefined }).branches[0]?.types).toHaveLength(context.definitions.resourceTypes.size)
    expect(parse('_type=Patient,Group&identifier=1', { type: undefined }).branches.map(({ types }) => types)).toEqual([
      ['Patient'],
      ['Group'],
    ])
    expect(refusalOf('_type=Colour', { type: undefined }).shown).toContain('does not exist')
    expect(refusalOf('_type=Patient,Group&birthdate=2024', { type: undefined }).shown).toContain('not known for Group')
  })
})
