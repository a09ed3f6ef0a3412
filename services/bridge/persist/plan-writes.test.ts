import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../packages/fhir/parse-json.ts'
import type { DiagnosticReport, Encounter, FhirResource, Observation, Patient } from '../../../packages/fhir/r4.ts'
import type { Mapped, Write } from '../mapping/mapped.ts'
import { planWrites } from './plan-writes.ts'
import type { StoredResource } from './stored.ts'
import { isSameResource } from './same-resource.ts'

const base = 'https://corridor.example'
const saidAtUrl = `${base}/StructureDefinition/said-at`

function write<R extends FhirResource>(resource: R, changes: Partial<Write<R>> = {}): Write {
  const key = { parameter: 'identifier', system: 'urn:x', value: '1' }
  const fullUrl = `urn:uuid:${resource.resourceType}`
  // Sound: a write of R is a write.
  return { fullUrl, key, mode: 'upsert', resource, defaults: {}, deletes: [], removes: [], ...changes } as Write
}

const mapped = (saidAt: string | undefined, ...writes: Write[]): Mapped => ({
  ...{ writes, patients: [], needs: [], warnings: [] },
  ...(saidAt === undefined ? {} : { saidAt }),
})

const stored = (resource: FhirResource, said?: string): StoredResource => ({
  ...resource,
  id: resource.id ?? 'there',
  meta: {
    ...{ versionId: '7', lastUpdated: '2026-01-01T00:00:00Z' },
    ...(said === undefined ? {} : { extension: [{ url: saidAtUrl, valueDateTime: said }] }),
  },
})

const patient = (rest: Partial<Patient> = {}): Patient => ({ resourceType: 'Patient', gender: 'female', ...rest })

describe('the plan of a message', () => {
  it('creates what is not there, with the time at which it was said', () => {
    const { writes } = planWrites(mapped('2026-03-04T10:00:00Z', write(patient())), new Map(), base)
    expect(writes).toMatchObject([
      { resource: { gender: 'female', meta: { extension: [{ valueDateTime: '2026-03-04T10:00:00Z' }] } } },
    ])
    expect(writes[0]?.stored).toBeUndefined()
  })

  it('leaves alone what would not change', () => {
    const there = stored(patient({ birthDate: '1980-01-01' }), '2026-03-04T09:00:00Z')
    const { writes, references, unchanged } = planWrites(
      mapped('2026-03-04T10:00:00Z', write(patient())),
      new Map([['urn:uuid:Patient', there]]),
      base,
    )
    expect(writes).toEqual([])
    expect(unchanged).toEqual([there])
    expect(references.get('urn:uuid:Patient')).toBe('Patient/there')
  })

  it('replaces what changed without sending what only the store may say', () => {
    const there = stored(patient({ birthDate: '1980-01-01' }))
    const { writes, unchanged } = planWrites(
      mapped(undefined, write(patient({ gender: 'male' }))),
      new Map([['urn:uuid:Patient', there]]),
      base,
    )
    expect(writes).toEqual([
      {
        fullUrl: 'urn:uuid:Patient',
        key: { parameter: 'identifier', system: 'urn:x', value: '1' },
        resource: { resourceType: 'Patient', gender: 'male', birthDate: '1980-01-01' },
        stored: there,
      },
    ])
    expect(unchanged).toEqual([])
  })

  it('lets an older message only add what nobody has said since', () => {
    const there = stored(patient({ gender: 'male' }), '2026-03-04T12:00:00Z')
    const late = write(patient({ gender: 'female', birthDate: '1980-01-01' }), { deletes: ['gender'] })
    const plan = planWrites(mapped('2026-03-04T10:00:00Z', late), new Map([['urn:uuid:Patient', there]]), base)
    expect(plan.isStale).toBe(true)
    expect(plan.writes).toMatchObject([{ resource: { gender: 'male', birthDate: '1980-01-01' } }])
    expect(plan.writes[0]?.resource.meta?.extension).toEqual([
      { url: saidAtUrl, valueDateTime: '2026-03-04T12:00:00Z' },
    ])
  })

  it('takes a message for older when a later one is known to have said the same again', () => {
    const there = stored(patient({ gender: 'male' }), '2026-03-04T09:00:00Z')
    const late = mapped('2026-03-04T10:00:00Z', write(patient({ birthDate: '1980-01-01' })))
    const plan = planWrites(late, new Map([['urn:uuid:Patient', there]]), base, {
      spokenOf: new Set(['Patient/there']),
      statusSaid: new Set(),
      deathSaid: new Set(),
    })
    expect(plan).toMatchObject({
      isStale: true,
      writes: [{ resource: { gender: 'male', birthDate: '1980-01-01' } }],
    })
  })

  it.each([
    ['the same time', '2026-03-04T12:00:00Z'],
    ['the same instant elsewhere', '2026-03-04T13:00:00+01:00'],
    ['only a day', '2026-03-04'],
    ['no time', undefined],
  ])('does not take %s for older', (_what, said) => {
    const there = stored(patient({ gender: 'male' }), '2026-03-04T12:00:00Z')
    const plan = planWrites(mapped(said, write(patient())), new Map([['urn:uuid:Patient', there]]), base)
    expect(plan).toMatchObject({ isStale: false, writes: [{ resource: { gender: 'female' } }] })
  })

  it('joins two writes about one stored resource, one after the other', () => {
    const there = stored(patient())
    const one = write(patient({ birthDate: '1980-01-01' }))
    const other = write(patient({ active: false }), { fullUrl: 'urn:uuid:other' })
    const both = new Map([
      [one.fullUrl, there],
      [other.fullUrl, there],
    ])
    const { writes } = planWrites(mapped(undefined, one, other), both, base)
    expect(writes).toMatchObject([{ resource: { birthDate: '1980-01-01', active: false } }])
  })

  it('refers to what is there by its id, and to what is amended in vain by its identifier', () => {
    const visit = write<Encounter>({ resourceType: 'Encounter' } as Encounter, {
      mode: 'amend',
      key: { parameter: 'identifier', system: 'urn:visit', value: '9' },
    })
    const result = write({
      resourceType: 'Observation',
      subject: { reference: 'urn:uuid:Patient' },
      encounter: { reference: visit.fullUrl },
    } as Observation)
    const there = new Map([['urn:uuid:Patient', stored(patient())]])
    const { writes } = planWrites(mapped(undefined, visit, result), there, base)
    expect(writes.map(({ resource }) => resource)).toEqual([
      {
        resourceType: 'Observation',
        subject: { reference: 'Patient/there' },
        encounter: { type: 'Encounter', identifier: { system: 'urn:visit', value: '9' } },
      },
    ])
  })

  describe('with a part of what may be stored as a whole', () => {
    const whole = write({ resourceType: 'Observation', status: 'corrected' } as Observation, {
      ...{ fullUrl: 'urn:uuid:whole', mode: 'amend' },
    })
    const part = write({ resourceType: 'Observation', status: 'final' } as Observation, {
      ...{ fullUrl: 'urn:uuid:part', unlessStored: whole.fullUrl },
    })
    const report = write({
      resourceType: 'DiagnosticReport',
      result: [{ reference: part.fullUrl }],
    } as DiagnosticReport)
    const there = stored({ resourceType: 'Observation', status: 'final' } as Observation)

    it('leaves out the part where the whole is stored, and refers to the whole', () => {
      const { writes } = planWrites(mapped(undefined, whole, part, report), new Map([[whole.fullUrl, there]]), base)
      expect(writes.map(({ fullUrl }) => fullUrl)).toEqual([whole.fullUrl, report.fullUrl])
      expect(writes[1]?.resource).toMatchObject({ result: [{ reference: 'Observation/there' }] })
    })

    it('writes the part where it is not', () => {
      const { writes } = planWrites(mapped(undefined, whole, part, report), new Map(), base)
      expect(writes.map(({ fullUrl }) => fullUrl)).toEqual([part.fullUrl, report.fullUrl])
    })

    it('does not take the whole out of a list for a part that is taken back, even if it has the number of the part', () => {
      const back = { ...part, mode: 'amend' as const }
      const removes = [{ element: 'result', where: { reference: part.fullUrl } }]
      const now = write({ resourceType: 'DiagnosticReport', status: 'final' } as DiagnosticReport, { removes })
      const before = stored({
        resourceType: 'DiagnosticReport',
        result: [{ reference: 'Observation/there' }],
      } as DiagnosticReport)
      const found = new Map([
        [whole.fullUrl, there],
        [part.fullUrl, there],
        [now.fullUrl, before],
      ])
      const { writes } = planWrites(mapped(undefined, whole, back, now), found, base)
      expect(writes.map(({ resource }) => resource)).toMatchObject([
        { status: 'corrected' },
        { status: 'final', result: [{ reference: 'Observation/there' }] },
      ])
    })
  })
})

describe('the plan of a merge', () => {
  const survivor = stored(patient({ active: true, identifier: [{ system: 'urn:x', value: '9' }] }))
  const replaces = { type: 'replaces' as const, other: { reference: 'urn:uuid:old' } }
  const merge = mapped(
    undefined,
    write(patient({ link: [replaces] })),
    write<Patient>(
      {
        resourceType: 'Patient',
        active: false,
        link: [{ type: 'replaced-by', other: { reference: 'urn:uuid:Patient' } }],
      },
      { fullUrl: 'urn:uuid:old' },
    ),
  )
  const linksOf = (old: StoredResource) =>
    planWrites(
      merge,
      new Map([
        ['urn:uuid:Patient', survivor],
        ['urn:uuid:old', old],
      ]),
      base,
    ).writes

  it('lets the record that goes refer to the one that stays', () => {
    const gone = stored(patient({ id: 'gone', active: true }))
    expect(linksOf(gone)).toMatchObject([
      { resource: { active: true, link: [{ type: 'replaces', other: { reference: 'Patient/gone' } }] } },
      { resource: { active: false, link: [{ type: 'replaced-by', other: { reference: 'Patient/there' } }] } },
    ])
  })

  it('changes nobody where the number of the record that goes is one of the record that stays', () => {
    expect(linksOf(survivor)).toEqual([])
  })
})

describe('the plan of a message under a number that went with a merge', () => {
  const old = (value: string) => ({ use: 'old' as const, system: 'urn:x', value })
  const gone = stored(patient({ id: 'gone', identifier: [old('1'), old('2'), { system: 'urn:n', value: '3' }] }))
  const refer = (golden: string) => ({ type: 'refer' as const, other: { reference: `Patient/${golden}` } })
  const survivor = stored(patient({ identifier: [{ system: 'urn:x', value: '9' }], link: [refer('own')] }))
  const found = Object.assign(new Map([['urn:uuid:Patient', survivor]]), {
    replaced: new Map([['urn:uuid:Patient', gone]]),
  })
  const identifier = ['1', '2'].map((value) => ({ system: 'urn:x', value }))

  it('is about the survivor, who gets neither the old numbers nor another golden record', () => {
    const said = patient({ gender: 'male', identifier: [...identifier, { system: 'urn:n', value: '3' }] })
    const { writes } = planWrites(mapped(undefined, write({ ...said, link: [refer('other')] })), found, base)
    expect(writes.map(({ resource }) => resource)).toEqual([
      patient({
        gender: 'male',
        identifier: [
          { system: 'urn:x', value: '9' },
          { system: 'urn:n', value: '3' },
        ],
        link: [refer('own')],
      }),
    ])
  })

  it('changes nothing where the patient is only mentioned', () => {
    const mention = write<Patient>(
      { resourceType: 'Patient', link: [refer('other')] },
      { defaults: patient({ identifier }) },
    )
    expect(planWrites(mapped(undefined, mention), found, base)).toMatchObject({ writes: [], unchanged: [survivor] })
  })
})

describe('two resources', () => {
  const observation = (value: number | Decimal, rest: object = {}) =>
    ({ resourceType: 'Observation', valueQuantity: { value, unit: 'g' }, ...rest }) as unknown as Observation

  it.each([
    ['versions', observation(1, { meta: { versionId: '1' } }), observation(1, { meta: { versionId: '2' } }), true],
    [
      'the order of members',
      observation(1, { id: 'a', status: 'final' }),
      observation(1, { status: 'final', id: 'a' }),
      true,
    ],
    ['written decimals', observation(new Decimal('1.0')), observation(new Decimal('1.0')), true],
    ['precision', observation(new Decimal('1.0')), observation(1), false],
    ['a number', observation(1), observation(2), false],
    ['a tag', observation(1, { meta: { tag: [{ code: 'x' }] } }), observation(1), false],
    ['a member more', observation(1, { status: 'final' }), observation(1), false],
    ['an empty list for an empty object', observation(1, { note: [] }), observation(1, { note: {} }), false],
  ])('that differ in %s', (_what, one, other, same) => {
    expect(isSameResource(one, other)).toBe(same)
    expect(isSameResource(other, one)).toBe(same)
  })
})
