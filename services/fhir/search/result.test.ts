import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { fullAccess } from '../scopes/access.ts'
import { searchsetText } from '../interactions/search.ts'
import { base, namesOf, queryOfLink, searchWorld, type SearchWorld, type TestResource } from './testing/search-world.ts'
import { ward } from './testing/ward.ts'

describe('the answer to a search', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    await world.put(
      ...ward,
      { resourceType: 'Organization', id: 'ministry', name: 'Ministry' },
      { resourceType: 'Organization', id: 'region', name: 'Region', partOf: { reference: 'Organization/ministry' } },
      { resourceType: 'Organization', id: 'clinic', name: 'Clinic', partOf: { reference: 'Organization/region' } },
    )
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const included = async (search: string) => namesOf(await world.page(search), 'include')

  describe('includes', () => {
    it.each([
      ['Observation?_id=glucose&_include=Observation:subject', ['Patient/amina']],
      ['Observation?_id=glucose&_include=Observation:subject:Patient', ['Patient/amina']],
      ['Observation?_id=glucose&_include=Observation:subject:Group', []],
      ['Observation?_id=glucose&_include=Observation:*', ['Encounter/stay', 'Patient/amina']],
      ['Observation?_id=glucose&_include=*', ['Encounter/stay', 'Patient/amina']],
      ['Observation?_id=smoking&_include=Observation:subject', ['Patient/kofi']],
      ['Observation?_id=trace&_include=Observation:subject', []],
      ['Patient?_id=amina&_include=Patient:general-practitioner', ['Practitioner/amara']],
      ['Patient?_id=amina&_include=Observation:subject', []],
      ['Patient?_id=amina&_revinclude=Observation:subject', ['Observation/glucose', 'Observation/pressure']],
      ['Patient?_id=amina&_revinclude=Observation:subject:Group', []],
      [
        'Patient?_id=amina&_revinclude=*',
        ['Encounter/stay', 'Observation/glucose', 'Observation/pressure', 'RiskAssessment/high'],
      ],
      [
        'Patient?_id=amina&_revinclude=Encounter:patient&_include=Patient:organization',
        ['Encounter/stay', 'Organization/central'],
      ],
      // Without :iterate only matches are followed.
      ['Observation?_id=glucose&_include=Observation:subject&_include=Patient:organization', ['Patient/amina']],
      [
        'Observation?_id=glucose&_include=Observation:subject&_include:iterate=Patient:organization',
        ['Organization/central', 'Patient/amina'],
      ],
      ['Organization?_id=clinic&_include=Organization:partof', ['Organization/region']],
      [
        'Organization?_id=clinic&_include:iterate=Organization:partof',
        ['Organization/ministry', 'Organization/region'],
      ],
      [
        'Organization?_id=ministry&_revinclude:iterate=Organization:partof',
        ['Organization/clinic', 'Organization/region'],
      ],
      [
        'Encounter?_revinclude:iterate=Observation:encounter&_include:iterate=Observation:subject',
        ['Observation/glucose', 'Patient/amina'],
      ],
    ])('%s', async (search, expected) => {
      expect(await included(search)).toEqual(expected)
    })

    it('no resource that is a match already', async () => {
      expect(await included('Organization?_include=Organization:partof')).toEqual([])
    })

    it('at most as many as the limit says, with a warning', async () => {
      await using small = await searchWorld({ includedMax: 3 })
      const patient = { resourceType: 'Patient', id: 'p' }
      const conditions = ['a', 'b', 'c', 'd'].map((id) => ({
        resourceType: 'Condition',
        id,
        subject: { reference: 'Patient/p' },
      }))
      await small.put(patient, ...conditions)
      const page = await small.page('Patient?_revinclude=Condition:subject')
      expect(namesOf(page, 'include')).toHaveLength(3)
      expect(page.warnings).toEqual(['More than 3 resources or 16 MB would have been included; the rest was left out.'])
    })

    it('no further than is followed, with a warning where there is more', async () => {
      const search = 'Organization?_id=clinic&_include:iterate=Organization:partof'
      const depth = (await included(search)).length
      for (const [iterationsMax, warnings] of [
        [depth, []],
        [depth - 1, [`References were followed ${depth - 1} times; what lies further away was left out.`]],
      ] as const) {
        const page = await world.pageWithin({ iterationsMax })(search)
        expect(namesOf(page, 'include')).toHaveLength(iterationsMax)
        expect(page.warnings).toEqual(warnings)
      }
    })

    it.each(['Patient?_id=amina&_revinclude=*', 'Observation?_id=glucose&_include=*'])(
      'of %s no more than fit into the bytes of a page, and one in any case',
      async (search) => {
        expect((await included(search)).length).toBeGreaterThan(1)
        const page = await world.pageWithin({ pageBytesMax: 1 })(search)
        expect(namesOf(page, 'include')).toHaveLength(1)
        expect(page.warnings).toHaveLength(1)
      },
    )
  })

  describe('is sorted', () => {
    const ids = async (search: string) => (await world.page(search)).entries.map(({ id }) => id)
    it.each([
      ['Patient?_sort=birthdate', ['amina', 'kofi', 'noor']],
      ['Patient?_sort=-birthdate', ['kofi', 'amina', 'noor']],
      ['Patient?_sort=given', ['amina', 'noor', 'kofi']],
      ['Patient?_sort=-_id', ['noor', 'kofi', 'amina']],
      ['Patient?_sort=gender,-given', ['amina', 'kofi', 'noor']],
      ['Patient?_sort=deceased,_id', ['amina', 'noor', 'kofi']],
      ['Patient?_sort=_lastUpdated,_id', ['amina', 'kofi', 'noor']],
      ['Observation?_sort=value-quantity,_id', ['trace', 'glucose', 'pressure', 'smoking']],
      ['Observation?_sort=-value-quantity,-_id', ['glucose', 'trace', 'smoking', 'pressure']],
      ['Observation?_sort=code', ['glucose', 'trace', 'smoking', 'pressure']],
      ['?_type=Practitioner,Patient&_sort=-_id', ['noor', 'kofi', 'amina', 'amara']],
      ['?_type=Practitioner,Patient&_sort=-family,_id', ['noor', 'amina', 'amara', 'kofi']],
    ])('%s', async (search, expected) => {
      expect(await ids(search)).toEqual(expected)
    })

    it('by reference so that equal ones stand together', async () => {
      const sorted = await ids('Observation?subject:missing=false&_sort=subject,_id')
      expect(Math.abs(sorted.indexOf('glucose') - sorted.indexOf('pressure'))).toBe(1)
    })
  })

  describe('is counted', () => {
    it.each([
      ['Patient?_count=1', undefined],
      ['Patient?_count=3', 3],
      ['Patient', 3],
      ['Patient?_count=1&_total=accurate', 3],
      ['Patient?_count=1&_total=estimate', 3],
      ['Patient?_summary=count', 3],
      ['Patient?_count=0', 3],
      ['Patient?_count=0&_summary=true', 3],
      ['Patient?_count=0&_elements=name', 3],
      ['Observation?subject:Patient.gender=female&_count=1&_total=accurate', 2],
    ])('%s', async (search, total) => {
      expect((await world.page(search)).total).toBe(total)
    })

    it('without entries when only the count is asked', async () => {
      const page = await world.page('Patient?_summary=count')
      expect(page.entries).toEqual([])
      expect(page.links.map(({ relation }) => relation)).toEqual(['self', 'first'])
    })

    it('no further than the limit when an estimate is enough', async () => {
      await using small = await searchWorld({ estimateMax: 2 })
      await small.put(...ward)
      expect((await small.page('Patient?_count=1&_total=estimate')).total).toBe(2)
    })
  })

  describe('is cut', () => {
    const first = async (search: string) => {
      const [entry] = (await world.page(search)).entries
      return JSON.parse(entry?.content ?? 'null') as Record<string, unknown>
    }
    const subsetted = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }
    it.each([
      ['Observation?_id=glucose&_elements=value', ['resourceType', 'id', 'meta', 'status', 'code', 'valueQuantity']],
      [
        'Observation?_id=glucose&_elements=Observation.subject',
        ['resourceType', 'id', 'meta', 'status', 'code', 'subject'],
      ],
      ['Observation?_id=glucose&_summary=text', ['resourceType', 'id', 'meta', 'status', 'code']],
      [
        'Patient?_id=amina&_summary=true',
        [
          'resourceType',
          'id',
          'meta',
          'identifier',
          'active',
          'name',
          'telecom',
          'gender',
          'birthDate',
          'address',
          'managingOrganization',
        ],
      ],
    ])('%s', async (search, elements) => {
      const resource = await first(search)
      expect(Object.keys(resource).sort()).toEqual(elements.sort())
      expect((resource['meta'] as { tag: unknown[] }).tag).toContainEqual(subsetted)
    })

    it('of its text only with _summary=data, and decimals stay as they were written', async () => {
      const text = `{"resourceType":"Observation","id":"exact","text":{"status":"empty","div":"<div/>"},
        "status":"final","code":{"text":"x"},"valueQuantity":{"value":1.00}}`
      await world.put(parseJson(text) as TestResource)
      const [entry] = (await world.page('Observation?_id=exact&_summary=data')).entries
      await world.remove('Observation', 'exact')
      expect(entry?.content).not.toContain('"text":{')
      expect(entry?.content).toContain('"value":1.00')
    })

    it('never together with included resources when only the text is asked', async () => {
      await expect(world.page('Patient?_summary=text&_include=Patient:link')).rejects.toThrow('cannot be text together')
    })
  })

  describe('is a bundle', () => {
    it('of type searchset with fullUrl, mode, total and links', async () => {
      const page = await world.page('Observation?_id=glucose&_include=Observation:subject')
      const bundle = JSON.parse(searchsetText(page, base)) as Record<string, unknown> & { entry: object[] }
      expect(bundle).toMatchObject({
        resourceType: 'Bundle',
        type: 'searchset',
        total: 1,
        link: [
          { relation: 'self', url: `${base}/Observation?_id=glucose&_include=Observation:subject` },
          { relation: 'first', url: `${base}/Observation?_id=glucose&_include=Observation:subject` },
        ],
        entry: [
          { fullUrl: `${base}/Observation/glucose`, resource: { id: 'glucose' }, search: { mode: 'match' } },
          { fullUrl: `${base}/Patient/amina`, resource: { id: 'amina' }, search: { mode: 'include' } },
        ],
      })
    })

    it('without entries when nothing is found', async () => {
      const bundle = JSON.parse(searchsetText(await world.page('Patient?_id=nobody'), base)) as object
      expect(bundle).not.toHaveProperty('entry')
      expect(bundle).toMatchObject({ total: 0 })
    })

    it('with the warnings of a lenient search as an outcome', async () => {
      const page = await world.page('Patient?colour=red&_id=amina', { isStrict: false })
      const { entry } = JSON.parse(searchsetText(page, base)) as { entry: object[] }
      expect(entry.at(-1)).toEqual({
        resource: {
          resourceType: 'OperationOutcome',
          issue: [
            {
              severity: 'warning',
              code: 'not-supported',
              diagnostics: 'The parameter colour is not known for Patient. It was ignored.',
            },
          ],
        },
        search: { mode: 'outcome' },
      })
      expect(queryOfLink(page, 'self')).toBe('_id=amina')
    })
  })

  it.each([
    ['matches nothing that is not there', 'identifier=urn:mrn|none', []],
    ['finds one', 'identifier=urn:mrn|1', ['amina']],
    ['finds as many as asked for', '_id=amina,kofi,noor&gender:missing=false', ['amina', 'kofi']],
  ])('for a conditional interaction %s', async (_what, query, expected) => {
    const found = await world.engine.matches({ type: 'Patient', query, access: fullAccess, limit: 2 }, world.database)
    expect(found.map(({ id }) => id).sort()).toEqual(expected)
  })

  it.each(['', 'identifier=', '_count=1', 'colour=red', 'identifier=1&colour=red'])(
    'is refused to a conditional interaction with the criteria "%s"',
    async (query) => {
      const criteria = { type: 'Patient', query, access: fullAccess, limit: 2 }
      await expect(world.engine.matches(criteria, world.database)).rejects.toMatchObject({ kind: 'incorrect' })
    },
  )

  it('asks a terminology for value sets and hierarchies, also behind references', async () => {
    const glucose = { system: 'http://loinc.org', code: '2339-0' }
    await using taught = await searchWorld(
      {},
      {
        codesIn: async (url) => (url === 'urn:sugars' ? [glucose] : undefined),
        codesOfSet: async () => undefined,
        codesBelow: async (_system, code) => (code === 'root' ? [glucose] : []),
        codesAbove: async (_system, code) => (code === 'leaf' ? [glucose] : []),
      },
    )
    await taught.put(...ward)
    const found = ['Observation/glucose']
    expect(await taught.find('Observation?code:in=urn:sugars')).toEqual(found)
    expect(await taught.find('Observation?code:not-in=urn:sugars&subject=amina')).toEqual(['Observation/pressure'])
    expect(await taught.find('Observation?code:below=http://loinc.org|root')).toEqual(found)
    expect(await taught.find('Observation?code:above=http://loinc.org|leaf')).toEqual(found)
    expect(await taught.find('Observation?code:below=http://loinc.org|other')).toEqual([])
    expect(await taught.find('Patient?_has:Observation:subject:code:in=urn:sugars')).toEqual(['Patient/amina'])
  })

  it('refuses a value set and a hierarchy that nobody knows', async () => {
    await expect(world.page('Patient?gender:in=http://example.org/unknown')).rejects.toThrow('does not know')
    await expect(world.page('Patient?gender:not-in=urn:unknown')).rejects.toThrow('gender:not-in names a value set')
    await expect(world.page('Observation?code:below=http://loinc.org|1')).rejects.toThrow('hierarchy')
  })
})
