import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerWith } from '../../../packages/http/testing/test-server.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { fullAccess } from '../scopes/access.ts'
import { requiredValueSets } from '../search/testing/required-value-sets.ts'
import { base, searchWorld, type SearchWorld } from '../search/testing/search-world.ts'
import { ward } from '../search/testing/ward.ts'
import { resourceMatchingInProcess } from './in-process.ts'

let world: SearchWorld
let matching: ResourceMatching
beforeAll(async () => {
  world = await searchWorld()
  await world.put(...ward)
  matching = matchingFor('system/*.cruds')
})
afterAll(() => world[Symbol.asyncDispose]())

function matchingFor(scope: string): ResourceMatching {
  const { definitions, engine, database, clock } = world
  const valueSets = requiredValueSets(definitions)
  const authorize = () => (scope === '' ? { of: () => 'none' as const } : fullAccess)
  const deps = { definitions, engine, database, clock, valueSets, authorize, ownBases: [base] }
  return resourceMatchingInProcess(callerWith(['SYSTEM'], scope), deps)
}

/** What is in the store now, of the type of the search. */
async function foundInMemory(search: string): Promise<string[]> {
  const type = search.slice(0, search.indexOf('?'))
  const query = search.slice(type.length + 1)
  const sought = ward.filter(({ resourceType }) => resourceType === type)
  const versions = sought.map(({ id }) => ({ type, id, version: undefined }))
  const resources = (await matching.readVersions(versions)).filter((one) => one !== undefined)
  const matched = await matching.matches({ type, query }, resources)
  const found = resources.filter((_, index) => matched[index])
  return found.map(({ id }) => `${type}/${id}`).sort()
}

describe('criteria asked of resources in memory', () => {
  it.each([
    'Patient?identifier=urn:mrn|1',
    'Patient?identifier=1',
    'Patient?identifier=|1',
    'Patient?identifier=urn:mrn|',
    'Patient?identifier=urn:mrn|1,urn:mrn|2',
    'Patient?identifier:of-type=http://terminology.hl7.org/CodeSystem/v2-0203|MR|1',
    'Patient?gender:not=male',
    'Patient?gender:missing=true',
    'Patient?active=true',
    'Patient?deceased=true',
    'Patient?deceased=false',
    'Patient?gender:in=http://hl7.org/fhir/ValueSet/administrative-gender',
    'Patient?gender:not-in=http://hl7.org/fhir/ValueSet/administrative-gender',
    'Patient?name=ami',
    'Patient?name:contains=i',
    'Patient?family:exact=Diallo',
    'Patient?link:missing=true',
    'Patient?birthdate=ge1990',
    'Patient?birthdate=lt1990-06',
    'Patient?_id=amina,kofi',
    'Patient?_id:not=amina',
    'Patient?_lastUpdated=ge2024-06-01',
    'Patient?_lastUpdated=lt2024-06-01',
    'Observation?code:text=blood',
    'Observation?status=final&interpretation=H,HH',
    'Observation?subject=Patient/amina',
    'Observation?subject=amina',
    'Observation?subject=https://other.example/fhir/Patient/9',
    'Observation?subject:missing=false',
    'Observation?subject:identifier=urn:mrn|77',
    'Observation?value-quantity=gt5',
    'Observation?value-quantity=5.4||mmol/l',
    'Observation?value-quantity=lt1',
    'Observation?date=2024-05-01',
    'Observation?date=sa2024-05-01',
    'Observation?date=eb2024-05-02',
    'Observation?date=ap2024-05-01',
    'Observation?component-code-value-quantity=http://loinc.org|8480-6$gt120',
    'Observation?patient.gender=female',
    'Encounter?_has:Observation:encounter:status=final',
    'RiskAssessment?probability=gt0.5',
    'RiskAssessment?probability=0.1',
    'Questionnaire?url=http://example.org/fhir/Questionnaire/follow-up',
    'Questionnaire?url:below=http://example.org/fhir',
    'Questionnaire?url:above=http://example.org/fhir/Questionnaire/follow-up/more',
    'QuestionnaireResponse?questionnaire=http://example.org/Questionnaire/base',
    'QuestionnaireResponse?questionnaire=http://example.org/Questionnaire/base|2',
    'QuestionnaireResponse?questionnaire=http://example.org/Questionnaire/base|3',
  ])('%s finds what the search finds', async (search) => {
    expect(await foundInMemory(search)).toEqual(await world.find(search))
  })

  it('are held against the version that was written, also when it has changed since', async () => {
    const encounter = { resourceType: 'Encounter', id: 'short', class: { code: 'IMP' } }
    await world.put({ ...encounter, status: 'in-progress' })
    await world.put({ ...encounter, status: 'finished' })
    const versions = ['1', '2', '3', 'x'].map((version) => ({ type: 'Encounter', id: 'short', version }))
    const [first, second, ...others] = await matching.readVersions(versions)
    expect(others).toEqual([undefined, undefined])
    const criteria = { type: 'Encounter', query: 'class=IMP&status=in-progress' }
    expect(await matching.matches(criteria, [first, second] as Resource[])).toEqual([true, false])
  })

  it('give nothing for what was deleted or is of another type', async () => {
    await world.put({ resourceType: 'Patient', id: 'gone', active: true })
    await world.remove('Patient', 'gone')
    expect(await matching.readVersions([{ type: 'Patient', id: 'gone', version: undefined }])).toEqual([undefined])
    const observation = { resourceType: 'Observation', id: 'x', status: 'final', code: {} } as Resource
    expect(await matching.matches({ type: 'Patient', query: 'active:missing=true' }, [observation])).toEqual([false])
  })

  it.each(['Patient?no-such=1', 'Pateint?_id=1', 'Patient?birthdate=yesterday', 'Patient?gender:in=urn:nowhere'])(
    '%s is refused as the search refuses it',
    async (search) => {
      await expect(foundInMemory(search)).rejects.toMatchObject({ kind: 'incorrect' })
    },
  )

  it('are not for whoever may not see everything', async () => {
    const confined = matchingFor('')
    await expect(confined.matches({ type: 'Patient', query: 'active=true' }, [])).rejects.toMatchObject({
      kind: 'forbidden',
    })
    const version = { type: 'Patient', id: 'amina', version: undefined }
    await expect(confined.readVersions([version])).rejects.toMatchObject({ kind: 'forbidden' })
  })
})
