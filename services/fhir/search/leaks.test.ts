import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessConditions, TypeAccess } from '../scopes/access.ts'
import type { SearchPage } from './engine.ts'
import { searchWorld, type PageOptions, type SearchWorld, type TestResource } from './testing/search-world.ts'

const laboratory = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }],
}
const vitals = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }],
}

/** The same for each of the two, with references across in both directions: the temptation. */
function recordOf(own: string, other: string, family: string): TestResource[] {
  const subject = { reference: `Patient/${own}` }
  const code = { coding: [{ system: 'urn:codes', code: `of-${own}` }] }
  return [
    {
      resourceType: 'Patient',
      id: own,
      identifier: [{ system: 'urn:mrn', value: `mrn-${own}` }],
      name: [{ family }],
      generalPractitioner: [{ reference: 'Practitioner/shared' }],
      link: [{ other: { reference: `Patient/${other}` }, type: 'seealso' }],
    },
    { resourceType: 'Encounter', id: `${own}-stay`, status: 'finished', class: { code: 'IMP' }, subject },
    {
      resourceType: 'Observation',
      id: `${own}-lab`,
      status: 'final',
      category: [laboratory],
      code,
      subject,
      encounter: { reference: `Encounter/${own}-stay` },
      focus: [{ reference: `Patient/${other}` }],
      derivedFrom: [{ reference: `Observation/${other}-lab` }, { reference: `Observation/${own}-vital` }],
      effectiveDateTime: own === 'a' ? '2024-01-01' : '2024-01-02',
    },
    {
      resourceType: 'Observation',
      id: `${own}-vital`,
      status: 'final',
      category: [vitals],
      code,
      subject,
      hasMember: [{ reference: `Observation/${other}-lab` }],
      effectiveDateTime: own === 'a' ? '2024-01-03' : '2024-01-02',
    },
    {
      resourceType: 'Condition',
      id: `${own}-condition`,
      subject,
      code,
      evidence: [{ detail: [{ reference: `Observation/${other}-lab` }] }],
    },
    {
      resourceType: 'Provenance',
      id: `${own}-provenance`,
      target: [subject],
      recorded: '2024-01-01T00:00:00Z',
      agent: [{ who: subject }],
    },
  ]
}

const everything: TestResource[] = [
  { resourceType: 'Practitioner', id: 'shared', name: [{ family: 'Shared' }] },
  ...recordOf('a', 'b', 'Abara'),
  ...recordOf('b', 'a', 'Bello'),
]

const searches: [search: string, options?: PageOptions][] = [
  ['Observation'],
  ['Observation?_count=1&_total=accurate'],
  ['Observation?_count=1&_total=estimate'],
  ['Observation?_summary=count'],
  ['Observation?subject=Patient/b'],
  ['Observation?code=of-b'],
  ['Observation?code:not=of-a'],
  ['Observation?_id=b-lab,a-lab'],
  ['Observation?_sort=derived-from'],
  ['Observation?_sort=-date&_count=1'],
  ['Observation?_sort=has-member,date'],
  ['Observation?_include=*'],
  ['Observation?_include=Observation:derived-from'],
  ['Observation?_include=Observation:focus'],
  ['Observation?_include:iterate=Observation:derived-from&_include:iterate=Observation:subject'],
  ['Observation?_include:iterate=*'],
  ['Observation?_revinclude=*'],
  ['Observation?_revinclude=Observation:derived-from'],
  ['Observation?_revinclude:iterate=Observation:has-member'],
  ['Observation?_revinclude=Condition:evidence-detail'],
  ['Observation?derived-from:Observation.code=of-b'],
  ['Observation?derived-from:Observation.code:not=of-a'],
  ['Observation?derived-from:Observation.code:missing=false'],
  ['Observation?derived-from:Observation._id=b-lab'],
  ['Observation?derived-from:Observation.subject:Patient.family=bello'],
  ['Observation?has-member:Observation.derived-from:Observation.code=of-a'],
  ['Observation?focus:Patient.family=bello'],
  ['Observation?focus:Patient.identifier=urn:mrn|mrn-b'],
  ['Observation?subject:Patient.link:Patient.family=bello'],
  ['Observation?subject:Patient.family=abara'],
  ['Observation?_has:Observation:derived-from:code=of-b'],
  ['Observation?_has:Observation:derived-from:status:not=amended'],
  ['Observation?_has:Condition:evidence-detail:code=of-b'],
  ['Observation?_has:Observation:derived-from:_has:Condition:evidence-detail:code=of-a'],
  ['Practitioner'],
  ['Practitioner?_revinclude=*'],
  ['Practitioner?_revinclude=Patient:general-practitioner'],
  ['Practitioner?_revinclude:iterate=Patient:general-practitioner&_revinclude:iterate=Observation:subject'],
  ['Practitioner?_has:Patient:general-practitioner:family=bello'],
  ['Practitioner?_has:Patient:general-practitioner:_has:Observation:subject:code=of-b'],
  ['Practitioner?_has:Patient:general-practitioner:family:missing=true'],
  ['Patient'],
  ['Patient?_include=Patient:link'],
  ['Patient?_revinclude=Patient:link'],
  ['Patient?_revinclude=Provenance:target'],
  ['Patient?link:Patient.family=bello'],
  ['Patient?_has:Patient:link:family=bello'],
  ['Patient?_has:Observation:focus:code=of-b'],
  ['Patient?family=bello&_total=accurate'],
  ['Patient?_sort=-family&_count=1&_total=accurate'],
  ['Condition?evidence-detail:Observation.code=of-b'],
  ['Condition?_include=Condition:evidence-detail'],
  ['?_id=a,b,a-lab,b-lab,shared'],
  ['?_lastUpdated=ge2000&_total=accurate&_count=2'],
  ['?_type=Patient,Observation,Condition&_lastUpdated=ge2000'],
  ['?_type=Observation,Condition&code=of-b'],
  ['Observation', { compartment: { type: 'Patient', id: 'b' } }],
  ['Observation', { compartment: { type: 'Patient', id: 'a' } }],
  ['?_total=accurate', { compartment: { type: 'Patient', id: 'b' } }],
  ['?_include=*', { compartment: { type: 'Patient', id: 'a' } }],
  ['Observation', { compartment: { type: 'Encounter', id: 'b-stay' } }],
  ['Patient', { compartment: { type: 'Practitioner', id: 'shared' } }],
  ['', { everythingOf: 'a' }],
  ['', { everythingOf: 'b' }],
  ['?_type=Observation', { everythingOf: 'b' }],
]

const isOf = (own: string, { id, resourceType }: TestResource) => resourceType === 'Practitioner' || id.startsWith(own)
const isLaboratory = ({ category }: TestResource) => JSON.stringify(category ?? []).includes('laboratory')

interface Reader {
  readonly who: string
  readonly access: AccessConditions
  /** Said again by other means: what this reader may see. */
  readonly sees: (resource: TestResource) => boolean
}

const reader = (who: string, of: (type: string) => TypeAccess, sees: (resource: TestResource) => boolean): Reader => ({
  who,
  access: { of },
  sees,
})

const onPatientRecord = (own: string, observations: TypeAccess) => (type: string) => {
  if (type === 'Practitioner') return 'unrestricted' as const
  if (type === 'Patient') return [{ id: own }]
  return type === 'Observation' ? observations : [{ patient: own }]
}

const labQuery = 'category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory'

const readers: readonly Reader[] = [
  reader('patient a', onPatientRecord('a', [{ patient: 'a' }]), (resource) => isOf('a', resource)),
  reader('patient b', onPatientRecord('b', [{ patient: 'b' }]), (resource) => isOf('b', resource)),
  reader(
    'patient a, laboratory only',
    onPatientRecord('a', [{ patient: 'a', query: labQuery }]),
    (resource) => isOf('a', resource) && (resource.resourceType !== 'Observation' || isLaboratory(resource)),
  ),
  reader(
    'patient a, two granular scopes',
    onPatientRecord('a', [
      { patient: 'a', query: `${labQuery}&status=final` },
      { patient: 'a', query: 'code=of-b' },
    ]),
    (resource) => isOf('a', resource) && (resource.resourceType !== 'Observation' || isLaboratory(resource)),
  ),
  reader(
    'a clinician without the patients',
    (type) => (type === 'Patient' ? 'none' : 'unrestricted'),
    ({ resourceType }) => resourceType !== 'Patient',
  ),
  reader(
    'a clinician with laboratory results of everybody',
    (type) => (type === 'Observation' ? [{ query: labQuery }] : type === 'Patient' ? 'unrestricted' : 'none'),
    (resource) => resource.resourceType === 'Patient' || isLaboratory(resource),
  ),
  reader(
    'one who sees nothing but one observation',
    (type) => (type === 'Observation' ? [{ id: 'a-lab' }] : 'none'),
    ({ id }) => id === 'a-lab',
  ),
]

/**
 * What a reader may not see must not influence an answer in any way. So every answer is the same, to the letter, as that
 * of a server which has only what the reader may see.
 */
describe('with a whole server', () => {
  let whole: SearchWorld
  beforeAll(async () => {
    whole = await searchWorld()
    await whole.put(...everything)
  })
  afterAll(() => whole[Symbol.asyncDispose]())

  describe('a scope', () => {
    it.each([
      ['that is not understood', { query: 'colour=red' }],
      ['that is half understood', { query: 'status=final&colour=red' }],
      ['that is empty', { query: '' }],
      ['that goes through other resources', { query: 'derived-from:Observation.code=of-b' }],
      ['that asks who refers', { query: '_has:Observation:derived-from:code=of-b' }],
      ['that needs a terminology', { query: 'status:in=http://hl7.org/fhir/ValueSet/observation-status' }],
      ['that excludes by a terminology', { query: 'status:not-in=http://example.org/unknown' }],
      ['that only shapes the answer', { query: '_count=5' }],
    ])('with a query %s opens nothing', async (_what, bound) => {
      for (const bounds of [[bound], [{ ...bound, patient: 'a' }], [{ patient: 'a', id: 'x' }, bound]]) {
        expect(await whole.find('Observation', { access: { of: () => bounds } })).toEqual([])
      }
    })

    it('without any bound opens nothing', async () => {
      expect(await whole.find('Observation', { access: { of: () => [{}] } })).toEqual([])
      await expect(whole.find('Observation', { access: { of: () => [] } })).rejects.toMatchObject({ kind: 'forbidden' })
    })
  })

  describe.each(readers)('$who', ({ access, sees }) => {
    let visible: SearchWorld
    beforeAll(async () => {
      visible = await searchWorld()
      await visible.put(...everything.filter(sees))
    })
    afterAll(() => visible[Symbol.asyncDispose]())

    it.each(searches)('learns from %s nothing that is hidden', async (search, options = {}) => {
      const answer = await answerOf(whole, search, { ...options, access })
      expect(answer).toEqual(await answerOf(visible, search, { ...options, access }))
      const hidden = everything.filter((resource) => !sees(resource)).map(nameOf)
      expect(hidden.filter((name) => answer.names.includes(name))).toEqual([])
    })

    it('finds everything that is not hidden', async () => {
      const expected = everything.filter(sees).map(nameOf).sort()
      expect(await whole.find('?_lastUpdated=ge2000', { access })).toEqual(expected)
    })
  })
})

describe('an answer', () => {
  it('is refused where the type may not be searched at all', async () => {
    await using world = await searchWorld()
    const access: AccessConditions = { of: (type) => (type === 'Patient' ? 'unrestricted' : 'none') }
    await expect(world.page('Observation', { access })).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(world.page('Patient', { access })).resolves.toMatchObject({ total: 0 })
    await expect(world.page('?_id=1', { access: { of: () => 'none' } })).rejects.toMatchObject({ kind: 'forbidden' })
    const criteria = { type: 'Observation', query: 'code=1', access, limit: 2 }
    await expect(world.engine.matches(criteria, world.database)).rejects.toMatchObject({ kind: 'forbidden' })
  })
})

const nameOf = ({ resourceType, id }: TestResource) => `${resourceType}/${id}`

async function answerOf(world: SearchWorld, search: string, options: PageOptions) {
  const attempt = await world.page(search, options).then(
    (page): SearchPage | string => page,
    (thrown: unknown) => String(thrown),
  )
  const names = typeof attempt === 'string' ? [] : attempt.entries.map(({ type, id }) => `${type}/${id}`)
  return { attempt, names }
}
