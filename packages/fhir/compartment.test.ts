import { beforeAll, describe, expect, it } from 'vitest'
import { createOwnersOf, createSubjectsOf } from './compartment.ts'
import { type Definitions, loadDefinitions } from './definitions.ts'

describe('the patient compartment', () => {
  let definitions: Definitions
  beforeAll(async () => {
    definitions = await loadDefinitions()
  })

  it('has a group of two hundred thousand in the record of each, once', () => {
    const people = Array.from({ length: 200_000 }, (_, number) => `p${number}`)
    const member = [...people, 'p0'].map((id) => ({ entity: { reference: `Patient/${id}` } }))
    const ownersOf = createOwnersOf('Patient', definitions)
    expect(ownersOf({ resourceType: 'Group', type: 'person', actual: true, member })).toEqual(people)
  })

  it.each([
    [{ resourceType: 'Patient', id: 'a' }, ['a']],
    [{ resourceType: 'Patient', id: 'a', link: [{ other: { reference: 'Patient/b' } }] }, ['a', 'b']],
    [{ resourceType: 'Observation', subject: { reference: 'Patient/a' } }, ['a']],
    [{ resourceType: 'Observation', subject: { reference: 'Patient/a/_history/4' } }, ['a']],
    [
      { resourceType: 'Observation', subject: { reference: 'Group/g' }, performer: [{ reference: 'Patient/b' }] },
      ['b'],
    ],
    [
      { resourceType: 'Observation', subject: { reference: 'Patient/a' }, performer: [{ reference: 'Patient/a' }] },
      ['a'],
    ],
    [
      {
        resourceType: 'Appointment',
        participant: [{ actor: { reference: 'Patient/a' } }, { actor: { reference: 'Practitioner/x' } }],
      },
      ['a'],
    ],
    [{ resourceType: 'AuditEvent', agent: [{ who: { reference: 'Patient/a' } }] }, ['a']],
    [{ resourceType: 'Organization', id: 'o' }, []],
    [{ resourceType: 'Practitioner', id: 'a' }, []],
    [{ resourceType: 'Nonsense', subject: { reference: 'Patient/a' } }, []],
  ])('puts %j to %j', (resource, owners) => {
    expect(createOwnersOf('Patient', definitions)(resource)).toEqual(owners)
  })

  it.each([
    'https://other.example/fhir/Patient/a',
    'https://corridor.example/fhir/x/Patient/a',
    'https://corridor.example/fhirPatient/a',
    'urn:uuid:a',
    '#a',
  ])('takes %s for no patient of this server', (reference) => {
    const ownersOf = createOwnersOf('Patient', definitions, { ownBases: ['https://corridor.example/fhir'] })
    expect(ownersOf({ resourceType: 'Observation', subject: { reference } })).toEqual([])
  })

  it('takes an absolute reference to this server for what it is', () => {
    const ownersOf = createOwnersOf('Patient', definitions, { ownBases: ['https://corridor.example/fhir'] })
    const subject = { reference: 'https://corridor.example/fhir/Patient/a' }
    expect(ownersOf({ resourceType: 'Observation', subject })).toEqual(['a'])
  })

  it('stands beside the compartments of others', () => {
    const encounter = { resourceType: 'Observation', encounter: { reference: 'Encounter/e' } }
    expect(createOwnersOf('Encounter', definitions)(encounter)).toEqual(['e'])
    expect(createOwnersOf('Patient', definitions)(encounter)).toEqual([])
  })
})

describe('the patients of what is in no compartment', () => {
  it.each([
    [{ resourceType: 'Task', for: { reference: 'Patient/a' } }, ['a']],
    [{ resourceType: 'Device', patient: { reference: 'Patient/a/_history/4' } }, ['a']],
    [{ resourceType: 'Task', for: { reference: 'Group/g' }, owner: { reference: 'Patient/a' } }, []],
    [{ resourceType: 'Observation', subject: { reference: 'Patient/a' } }, []],
    [{ resourceType: 'Organization', id: 'o' }, []],
  ])('of %j are %j', async (resource, patients) => {
    expect(createSubjectsOf(await loadDefinitions())(resource)).toEqual(patients)
  })
})
