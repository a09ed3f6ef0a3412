import { describe, expect, it } from 'vitest'
import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Mapped, Write, WriteMode } from '../mapping/mapped.ts'
import type { Stored, StoredResource } from '../persist/find-stored.ts'
import { isGranted, wishesOf, type ToGovern } from './4-govern.ts'

const write = (resourceType: string, mode: WriteMode = 'upsert'): Write =>
  ({ fullUrl: `urn:uuid:${resourceType}`, mode, resource: { resourceType } as FhirResource }) as Write

const asked = (writes: readonly Write[], stored: Stored | undefined, people: ToGovern['people']) =>
  wishesOf({
    // Sound: the questions look at the writes only.
    ...{ organization: 'Organization/central', people, stored, mapped: { writes } as Mapped },
    received: {} as ToGovern['received'],
  })
    .flat()
    .map(({ patientId, resourceType, fhirOperation }) => `${patientId} ${resourceType} ${fhirOperation}`)

const there = (...types: string[]): Stored =>
  new Map(types.map((type) => [`urn:uuid:${type}`, { resourceType: type, id: 'x' } as StoredResource]))

const known = [{ fullUrl: 'urn:uuid:Patient', id: 'amina', goldenId: 'amina' }]

describe('what the consent service is asked', () => {
  it('is one question a type and operation, of what is about a patient', () => {
    const writes = [write('Patient'), write('Encounter'), write('Location'), write('Organization', 'ensure')]
    expect(asked(writes, there('Patient'), known)).toEqual(['amina Patient UPDATE', 'amina Encounter CREATE'])
  })

  it('is asked of every record that stands for the person', () => {
    const people = [{ fullUrl: 'urn:uuid:Patient', id: 'here', goldenId: 'golden' }]
    expect(asked([write('Patient')], there('Patient'), people)).toEqual([
      'here Patient UPDATE',
      'golden Patient UPDATE',
    ])
  })

  it('is asked of a newcomer by the name that only this message gives them', () => {
    expect(asked([write('Patient')], there(), [{ fullUrl: 'urn:uuid:0-1-2' }])).toEqual(['0-1-2 Patient CREATE'])
  })

  it('is asked of everybody whom the message is about', () => {
    const two = [...known, { fullUrl: 'urn:uuid:other', id: 'kofi' }]
    expect(asked([write('Patient')], undefined, two)).toEqual(['amina Patient CREATE', 'kofi Patient CREATE'])
  })

  it('is asked even when nothing would be written', () => {
    expect(asked([write('Patient', 'ensure')], there('Patient'), known)).toEqual(['amina Patient UPDATE'])
  })
})

describe('what one record of a person says', () => {
  it.each([
    ['a yes of one holds for the other', ['PERMIT', 'NO_CONSENT'], true],
    ['a refusal of one counts more than a yes of the other', ['PERMIT', 'DENY'], false],
    ['silence of both is no', ['NO_CONSENT', 'NO_CONSENT'], false],
    ['nobody asked is no', [], false],
  ] as const)('%s', (_what, outcomes, granted) => {
    expect(isGranted(outcomes.map((outcome) => ({ outcome })))).toBe(granted)
  })
})
