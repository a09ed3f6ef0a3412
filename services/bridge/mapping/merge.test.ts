import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { Encounter, FhirResource, Observation, Patient } from '../../../packages/fhir/r4.ts'
import type { Write } from './mapped.ts'
import { mergeWrite, settleReferences } from './merge.ts'

const key = { parameter: 'identifier', system: 's', value: '1' } as const

function write<R extends FhirResource>(resource: R, changes: Partial<Write<R>> = {}): Write {
  const whole = {
    fullUrl: 'urn:uuid:1',
    key,
    mode: 'upsert',
    resource,
    defaults: {},
    deletes: [],
    removes: [],
    ...changes,
  }
  return whole as unknown as Write
}

const stored: Patient = {
  resourceType: 'Patient',
  id: '1',
  active: true,
  gender: 'female',
  birthDate: '1987',
  _birthDate: { extension: [{ url: 'u', valueString: 'x' }] },
  maritalStatus: { text: 'married' },
  identifier: [
    { system: 's', value: '1' },
    { system: 'other', value: '9' },
  ],
  name: [
    { use: 'official', family: 'Diallo' },
    { use: 'maiden', family: 'Traore' },
  ],
  telecom: [
    { system: 'phone', use: 'home', value: '1' },
    { system: 'phone', use: 'work', value: '2' },
  ],
  extension: [
    { url: 'a', valueString: '1' },
    { url: 'b', valueString: '2' },
  ],
  link: [{ type: 'refer', other: { reference: 'Patient/golden-1' } }],
}

describe('a patient', () => {
  const merged = (resource: Partial<Patient>, changes: Partial<Write<Patient>> = {}) =>
    mergeWrite(write<Patient>({ resourceType: 'Patient', ...resource }, changes), stored) as Patient

  it('stays as it is where the message says nothing', () => {
    expect(merged({})).toEqual(stored)
  })

  it('keeps identifiers, names and numbers of which the message does not speak', () => {
    const after = merged({
      identifier: [{ system: 's', value: '1', use: 'usual' }],
      name: [{ use: 'official', family: 'Diallo-Keita' }],
      telecom: [{ system: 'phone', use: 'home', value: '3' }],
      extension: [{ url: 'b', valueString: '3' }],
    })
    expect(after.identifier).toEqual([
      { system: 's', value: '1', use: 'usual' },
      { system: 'other', value: '9' },
    ])
    expect(after.name).toEqual([
      { use: 'official', family: 'Diallo-Keita' },
      { use: 'maiden', family: 'Traore' },
    ])
    expect(after.telecom?.map(({ value }) => value)).toEqual(['3', '2'])
    expect(after.extension?.map(({ valueString }) => valueString)).toEqual(['1', '3'])
  })

  it('has what is said again where it was, and what is new behind it', () => {
    const names = (...families: readonly string[]) => families.map((family) => ({ family }))
    const home = { use: 'home' } as const
    const after = merged({
      name: [{ use: 'nickname', family: 'Mina' }, { use: 'official', family: 'Diallo' }, ...names('One', 'Two')],
      address: [{ ...home, city: 'Dakar' }],
    })
    expect(after.name?.map(({ family }) => family)).toEqual(['Diallo', 'Traore', 'Mina', 'One', 'Two'])
    const again = mergeWrite(write<Patient>({ resourceType: 'Patient', name: [...names('Three', 'Four')] }), after)
    expect((again as Patient).name?.map(({ family }) => family)).toEqual(['Diallo', 'Traore', 'Mina', 'Three', 'Four'])
  })

  it('loses what has no such part, where that is what the message removes', () => {
    const alias: Patient = { ...stored, name: [...(stored.name ?? []), { family: 'Alias' }] }
    const removes = [{ element: 'name', where: { use: undefined } }]
    expect(mergeWrite(write<Patient>({ resourceType: 'Patient' }, { removes }), alias)).toEqual(stored)
  })

  it('loses what the message deletes', () => {
    const after = merged(
      {},
      {
        deletes: ['maritalStatus', 'birthDate', '_birthDate', 'extension(a)', 'photo', 'contact.name'],
        removes: [{ element: 'telecom', where: { use: 'home' } }],
      },
    )
    expect(after).toMatchObject({ extension: [{ url: 'b', valueString: '2' }], telecom: [{ use: 'work' }] })
    expect(Object.keys(after)).not.toEqual(expect.arrayContaining(['maritalStatus']))
    expect(after.birthDate).toBeUndefined()
  })

  it('loses what was noted beside a value that is replaced', () => {
    expect(merged({ birthDate: '1988' })).not.toHaveProperty('_birthDate')
  })

  it('has one golden record, and keeps its other links', () => {
    const after = merged({ link: [{ type: 'refer', other: { reference: 'Patient/golden-2' } }] })
    expect(after.link).toEqual([{ type: 'refer', other: { reference: 'Patient/golden-2' } }])
    const replaces = { type: 'replaces', other: { reference: 'Patient/2' } } as const
    expect(merged({ link: [replaces] }).link).toEqual([...(stored.link ?? []), replaces])
  })

  it('has one kind of a choice', () => {
    const dead = { ...stored, deceasedBoolean: true }
    const after = mergeWrite(write<Patient>({ resourceType: 'Patient', deceasedDateTime: '2026' }), dead)
    expect(after).toMatchObject({ deceasedDateTime: '2026' })
    expect(after).not.toHaveProperty('deceasedBoolean')
  })

  it.each([
    ['deceasedBoolean', 'deceasedDateTime', '2026-01-01'],
    ['multipleBirthBoolean', 'multipleBirthInteger', 2],
  ])('keeps what it says better than a mere yes, and not after a no: %s', (yesOrNo, better, value) => {
    const known = { ...stored, [better]: value }
    const after = (said: boolean) => mergeWrite(write<Patient>({ resourceType: 'Patient', [yesOrNo]: said }), known)
    expect(after(true)).toEqual(known)
    expect(after(false)).toEqual({ ...stored, [yesOrNo]: false })
  })

  it('gets defaults only where it has nothing', () => {
    const defaults: Partial<Patient> = { active: false, language: 'fr' }
    expect(merged({}, { defaults })).toMatchObject({ active: true, language: 'fr' })
    expect(mergeWrite(write<Patient>({ resourceType: 'Patient' }, { defaults }), undefined)).toMatchObject(defaults)
  })

  it.each([
    ['ensure', stored, undefined],
    ['amend', undefined, undefined],
    ['ensure', undefined, { resourceType: 'Patient' }],
  ] as const)('with mode %s is written or not', (mode, there, expected) => {
    expect(mergeWrite(write<Patient>({ resourceType: 'Patient' }, { mode }), there)).toEqual(expected)
  })
})

describe('a visit', () => {
  const visit: Encounter = {
    resourceType: 'Encounter',
    status: 'in-progress',
    class: { code: 'IMP' },
    period: { start: '2026-03-01', end: '2026-03-02' },
    participant: [{ type: [{ coding: [{ code: 'ATND' }] }], individual: { display: 'A' } }],
    location: [{ location: { reference: 'Location/a' }, status: 'active', period: { start: '2026-03-01' } }],
  }
  const merged = (resource: Partial<Encounter>, changes: Partial<Write<Encounter>> = {}) =>
    mergeWrite(write<Encounter>({ resourceType: 'Encounter', ...resource } as Encounter, changes), visit) as Encounter

  it('is in one place: the place before is left, and keeps its times', () => {
    const after = merged({ location: [{ location: { reference: 'Location/b' }, status: 'active' }] })
    expect(after.location).toEqual([
      { location: { reference: 'Location/a' }, status: 'completed', period: { start: '2026-03-01' } },
      { location: { reference: 'Location/b' }, status: 'active' },
    ])
  })

  it('keeps the place where it is when only another one is reserved', () => {
    const after = merged({ location: [{ location: { reference: 'Location/b' }, status: 'reserved' }] })
    expect(after.location?.map(({ status }) => status)).toEqual(['active', 'reserved'])
  })

  it('keeps its start when the end is taken back', () => {
    expect(merged({ status: 'in-progress' }, { deletes: ['period.end'] }).period).toEqual({ start: '2026-03-01' })
    expect(merged({ period: { start: '2026-03-03' } }).period).toEqual({ start: '2026-03-03', end: '2026-03-02' })
  })

  it.each(['finished', 'cancelled', 'entered-in-error'] as const)('that is %s has nobody in a bed', (status) => {
    const said = { status, location: [{ location: { reference: 'Location/b' }, status: 'active' as const }] }
    expect(merged({ status }).location?.map((one) => one.status)).toEqual(['completed'])
    expect(merged(said).location?.map((one) => one.status)).toEqual(['completed', 'completed'])
    const created = mergeWrite(write({ resourceType: 'Encounter', class: {}, ...said }), undefined)
    expect(created).toMatchObject({ location: [{ status: 'completed' }] })
  })

  it('has one attending doctor after a change', () => {
    const type = [{ coding: [{ code: 'ATND' }] }]
    expect(merged({ participant: [{ type, individual: { display: 'B' } }] }).participant).toHaveLength(1)
  })
})

it('references are settled everywhere, and only they', () => {
  const settled = settleReferences(
    write<Patient>(
      {
        resourceType: 'Patient',
        link: [{ type: 'seealso', other: { reference: 'urn:uuid:2', display: 'urn:uuid:2' } }],
      },
      { removes: [{ element: 'link', where: { 'other.reference': 'urn:uuid:2' } }] },
    ),
    new Map([['urn:uuid:2', 'Patient/2']]),
  )
  expect(settled.resource).toMatchObject({ link: [{ other: { reference: 'Patient/2', display: 'urn:uuid:2' } }] })
  expect(settled.removes).toEqual([{ element: 'link', where: { 'other.reference': 'Patient/2' } }])
})

describe('a merged resource', () => {
  it('is made without a change to what is stored and to what the message says', () => {
    const visit: Encounter = {
      ...{ resourceType: 'Encounter', id: '1', status: 'in-progress', class: { code: 'IMP' } },
      meta: { tag: [{ system: 't', code: 'a' }] },
      period: { start: '2026-03-01', end: '2026-03-04' },
      hospitalization: { origin: { display: 'home' } },
      location: [
        { location: { reference: 'Location/1' }, status: 'active' },
        { location: { reference: 'Location/2' }, status: 'reserved' },
      ],
    }
    const said = write<Encounter>(
      {
        ...{ resourceType: 'Encounter', status: 'onleave', class: { code: 'IMP' } },
        meta: { tag: [{ system: 't', code: 'b' }] },
        period: { start: '2026-03-02' },
        location: [{ location: { reference: 'urn:uuid:3' }, status: 'active' }],
      },
      {
        deletes: ['period.end', 'hospitalization.origin'],
        removes: [{ element: 'location', where: { status: 'reserved' } }],
      },
    )
    const settled = settleReferences(frozen(said), new Map([['urn:uuid:3', 'Location/3']]))
    expect(mergeWrite(frozen(settled), frozen(visit))).toEqual({
      ...{ resourceType: 'Encounter', id: '1', status: 'onleave', class: { code: 'IMP' } },
      meta: {
        tag: [
          { system: 't', code: 'a' },
          { system: 't', code: 'b' },
        ],
      },
      period: { start: '2026-03-02' },
      location: [
        { location: { reference: 'Location/1' }, status: 'completed' },
        { location: { reference: 'Location/3' }, status: 'active' },
      ],
    })
  })

  it('keeps the decimals of what is stored as they were written', () => {
    const before = parseJson('{"resourceType":"Observation","valueQuantity":{"value":1.50},"status":"final"}')
    const amended = { resourceType: 'Observation', status: 'amended' } as Observation
    const merged = mergeWrite(write(amended), before as Observation)
    expect(JSON.stringify(merged)).toContain('"value":1.50')
  })
})

describe('what an older message says', () => {
  const absent = { text: 'unknown' }
  const mistaken = { coding: [{ code: 'entered-in-error' }] }

  it.each([
    ['deceasedBoolean', { resourceType: 'Patient', deceasedDateTime: '2026-03-04' }, { deceasedBoolean: false }],
    [
      'medicationReference',
      { resourceType: 'MedicationRequest', medicationCodeableConcept: { text: 'a' } },
      { medicationReference: { reference: 'Medication/1' } },
    ],
    ['valueString', { resourceType: 'Observation', dataAbsentReason: absent }, { valueString: 'x' }],
    ['dataAbsentReason', { resourceType: 'Observation', valueString: 'x' }, { dataAbsentReason: absent }],
    ['component', { resourceType: 'Observation', valueString: 'x' }, { component: [{ code: absent }] }],
    ['clinicalStatus', { resourceType: 'Condition', verificationStatus: mistaken }, { clinicalStatus: absent }],
  ])('adds no %s where a newer one has answered in another way', (_element, newer, defaults) => {
    const before = newer as unknown as FhirResource
    const older = write({ resourceType: before.resourceType } as FhirResource, { defaults, isAddition: true })
    expect(mergeWrite(older, before)).toEqual(before)
  })

  it('is added where nobody has said anything since', () => {
    const older = write<Patient>(
      { resourceType: 'Patient' },
      { defaults: { deceasedBoolean: false }, isAddition: true },
    )
    expect(mergeWrite(older, stored)).toEqual({ ...stored, deceasedBoolean: false })
  })
})

/** Whatever is changed in it throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
