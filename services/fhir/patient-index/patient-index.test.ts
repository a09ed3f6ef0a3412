import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { confirmReview, rejectReview } from './decide-review.ts'
import { matchOperation } from './match-operation.ts'
import type { StoredPatient } from './index-patients.ts'
import { recognisePatients, resolvePatients } from './resolve.ts'
import { findCandidates } from './store/candidates.ts'
import { listReviews } from './store/reviews.ts'
import { indexWorld, type IndexWorld } from './testing/index-world.ts'

let world: IndexWorld
beforeAll(async () => {
  world = await indexWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const nationalId = (value: string) => ({ type: { coding: [{ code: 'NI' }] }, system: 'urn:nid', value })
const recordNumber = (value: string, facility = 'central') => ({ system: `urn:${facility}`, value })

/** Every test has people of its own; its letters make their names. */
function person(family: string, rest: Partial<Patient> = {}): Patient {
  return {
    resourceType: 'Patient',
    name: [{ family, given: ['Amina'] }],
    gender: 'female',
    birthDate: '1984-03-12',
    ...rest,
  }
}

const match = (input: unknown) =>
  matchOperation(input, {
    database: world.database,
    names: world.names,
    base: 'http://localhost:8080/fhir',
    visiblePatients: (ids) => world.records.read(ids, world.database),
  })

const parameters = (resource: Patient, rest: readonly object[] = []) => ({
  resourceType: 'Parameters',
  parameter: [{ name: 'resource', resource }, ...rest],
})

const resolveOne = async (patient: Patient) => (await resolvePatients([patient], world))[0]
const openReviews = async () => (await listReviews('open', { size: 100, offset: 0 }, world.database)).reviews

describe('Patient/$match', () => {
  it('answers with the likeliest first, a score and a grade', async () => {
    await world.put({ ...person('Xhosawi'), id: 'xh-1', telecom: [{ system: 'phone', value: '0771234567' }] })
    await world.put({ ...person('Xhosavi'), id: 'xh-2', birthDate: '1984-03-13' })
    const bundle = await match(
      parameters({ ...person('Xhosawi'), telecom: [{ system: 'phone', value: '0771234567' }] }),
    )
    expect(bundle).toMatchObject({ resourceType: 'Bundle', type: 'searchset', total: 2 })
    expect(bundle.entry?.[0]).toMatchObject({
      fullUrl: 'http://localhost:8080/fhir/Patient/xh-1',
      resource: { resourceType: 'Patient', id: 'xh-1' },
      search: {
        mode: 'match',
        score: 0.999999,
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/match-grade', valueCode: 'probable' }],
      },
    })
    const scores = bundle.entry?.map((entry) => entry.search?.score ?? 0) ?? []
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    const best = await match(parameters(person('Xhosawi'), [{ name: 'count', valueInteger: 1 }]))
    expect(best.entry).toHaveLength(1)
  })

  it('gives an empty bundle where nobody is found, or nobody for certain when that is asked', async () => {
    const born = { birthDate: '1961-08-20' }
    await world.put({ ...person('Yorubal', born), id: 'yo-1' })
    const only = [{ name: 'onlyCertainMatches', valueBoolean: true }]
    expect(await match(parameters(person('Quetzal', { birthDate: '1933-09-09' })))).toEqual({
      resourceType: 'Bundle',
      type: 'searchset',
      total: 0,
    })
    expect(
      await match(parameters(person('Yorubal', { ...born, name: [{ family: 'Yorubal', given: ['Zoe'] }] }), only)),
    ).toMatchObject({ total: 0 })
    expect(await match(parameters(person('Yorubal', born), only))).toMatchObject({ total: 1 })
  })

  it.each([
    ['nothing', undefined],
    ['no patient', parameters({ resourceType: 'Group' } as never)],
    ['a patient without traits', parameters({ resourceType: 'Patient' })],
    ['only a family name', parameters({ resourceType: 'Patient', name: [{ family: 'Diallo' }] })],
    ['a count of nothing', parameters(person('Diallo'), [{ name: 'count', valueInteger: 0 }])],
  ])('refuses %s', async (_, input) => {
    await expect(match(input)).rejects.toMatchObject({ kind: 'incorrect' })
  })

  it('follows what is written: a changed name, a deleted record', async () => {
    await world.put({ ...person('Before'), id: 'changing', birthDate: '1950-10-11' })
    const total = async (family: string) =>
      (await match(parameters({ resourceType: 'Patient', name: [{ family, given: ['Amina'] }] }))).total
    expect(await total('Before')).toBe(1)
    await world.put({ ...person('Thereafter'), id: 'changing', birthDate: '1950-10-11' })
    expect([await total('Before'), await total('Thereafter')]).toEqual([0, 1])
    await world.remove('changing')
    expect(await total('Thereafter')).toBe(0)
  })
})

describe('a patient of a message', () => {
  it('who is new gets a golden record, the same however often it is asked', async () => {
    const newcomer = person('Newman', { identifier: [recordNumber('N1')], birthDate: '1971-11-02' })
    const first = await resolveOne(newcomer)
    expect(first).toMatchObject({ outcome: 'new' })
    expect(await resolveOne(newcomer)).toMatchObject({ goldenId: first?.goldenId })
    expect(await world.read(first?.goldenId ?? '')).toMatchObject({
      resourceType: 'Patient',
      meta: { tag: [{ system: 'urn:corridor:patient-index', code: 'golden' }] },
      active: true,
    })
  })

  it('who is seen in a second facility has the same golden record, before and after the first is written', async () => {
    const central = person('Secundo', {
      identifier: [recordNumber('S1'), nationalId('5550001')],
      birthDate: '1966-05-04',
    })
    const lakeside = { ...central, identifier: [recordNumber('L1', 'lakeside'), nationalId('5550001')] }
    const first = await resolveOne(central)
    expect(await resolveOne(lakeside)).toMatchObject({
      outcome: 'matched',
      grade: 'certain',
      goldenId: first?.goldenId,
    })
    const link = [{ type: 'refer' as const, other: { reference: `Patient/${first?.goldenId}` } }]
    await world.put({ ...central, id: 'secundo', link })
    expect(await resolveOne(lakeside)).toMatchObject({ outcome: 'matched', goldenId: first?.goldenId })
    expect(await resolveOne(central)).toMatchObject({ outcome: 'known', goldenId: first?.goldenId })
    const rows = await world.database.many<{ id: string }>(sql`
      select patient_id as id from fhir.index_people where golden_id = ${first?.goldenId ?? ''}`)
    expect(rows).toEqual([{ id: 'secundo' }])
  })

  it('who is an ordinary Patient of the store is linked to that', async () => {
    const known = {
      ...person('Ordinary', { identifier: [nationalId('777111')], birthDate: '1999-07-08' }),
      id: 'ordinary',
    }
    await world.put(known)
    expect(await resolveOne({ ...known, identifier: [recordNumber('O1'), nationalId('777111')] })).toMatchObject({
      goldenId: 'ordinary',
      outcome: 'matched',
    })
  })

  it('without a name is linked to nobody', async () => {
    const unknown = (value: string) =>
      person('x', {
        name: [{ family: 'Unknown', given: ['Unknown'] }],
        identifier: [recordNumber(value)],
        birthDate: '1977-02-03',
      })
    const [one, other] = await resolvePatients([unknown('U1'), unknown('U2')], world)
    expect(one?.goldenId).not.toBe(other?.goldenId)
    expect([one?.outcome, other?.outcome]).toEqual(['new', 'new'])
  })

  it('who is new twice in one batch, from two facilities, is one person', async () => {
    const central = person('Doublet', { identifier: [recordNumber('D1')], birthDate: '1953-04-29' })
    const lakeside = { ...central, identifier: [recordNumber('D2', 'lakeside')] }
    const [one, other, again] = await resolvePatients([central, lakeside, central], world)
    expect([one?.outcome, other?.outcome]).toEqual(['new', 'matched'])
    expect(new Set([one?.goldenId, other?.goldenId, again?.goldenId]).size).toBe(1)
  })

  it('who is new in four facilities at the same moment is one person', async () => {
    const arrivals = ['Quadrus', 'Quintus', 'Sextus'].flatMap((family, at) =>
      ['central', 'lakeside', 'hillside', 'harbour'].map((facility) =>
        person(family, { identifier: [recordNumber(`A${at}`, facility)], birthDate: `196${at}-10-23` }),
      ),
    )
    // Each in a call of its own, as copies of the bridge make them.
    const resolutions = await Promise.all(arrivals.map(resolveOne))
    expect(resolutions.filter((one) => one?.outcome === 'new')).toHaveLength(3)
    expect(new Set(resolutions.map((one) => one?.goldenId)).size).toBe(3)
  })

  it('who has the number of the mother and no other is somebody else, also in the same moment', async () => {
    const mother = person('Maternal', { identifier: [nationalId('8080')], birthDate: '1990-09-09' })
    const child = { ...mother, name: [{ family: 'Maternal', given: ['Zipporah'] }], birthDate: '2025-12-11' }
    const [one, other] = await resolvePatients([mother, child], world)
    expect([one?.outcome, other?.outcome]).toEqual(['new', 'new'])
    expect(one?.goldenId).not.toBe(other?.goldenId)
    expect(await resolveOne(child)).toMatchObject({ goldenId: other?.goldenId })
  })

  it('is recognised by the record number alone, though the rest may mean another or nobody', async () => {
    const seen = person('Numbered', { identifier: [recordNumber('K1')], birthDate: '1958-03-19' })
    const like = person('Lookalike', { identifier: [recordNumber('K2')], birthDate: '1959-08-21' })
    const [one, other] = await resolvePatients([seen, like], world)
    const married = { ...like, identifier: seen.identifier ?? [] }
    expect(await recognisePatients([married, like], world)).toEqual([
      { outcome: 'known', goldenId: one?.goldenId },
      { outcome: 'known', goldenId: other?.goldenId },
    ])
  })

  it('is looked for by everything where the record number is a national one elsewhere', async () => {
    const identifier = [{ system: 'urn:both', value: '9191' }]
    const national = [{ ...nationalId('9191'), system: 'urn:both' }]
    const mother = person('Bothways', { identifier: national, birthDate: '1987-02-05' })
    const child = person('Bothways', { identifier: [recordNumber('C1')], birthDate: '2024-02-06' })
    const [, second] = await resolvePatients([mother, child], world)
    expect(await recognisePatients([{ ...child, identifier }], world)).toMatchObject([
      { outcome: 'matched', goldenId: second?.goldenId },
    ])
  })

  it('whose record was deleted gets the golden record that is still there, and a newcomer beside gets one too', async () => {
    const back = person('Returner', { identifier: [recordNumber('R1')], birthDate: '1948-01-30' })
    const beside = person('Besides', { identifier: [recordNumber('R2')], birthDate: '1949-07-31' })
    const first = await resolveOne(back)
    const link = [{ type: 'refer' as const, other: { reference: `Patient/${first?.goldenId}` } }]
    await world.put({ ...back, id: 'returner', link })
    await world.remove('returner')
    const [again, other] = await resolvePatients([back, beside], world)
    expect([again, other]).toMatchObject([{ outcome: 'new', goldenId: first?.goldenId }, { outcome: 'new' }])
    expect(await world.read(other?.goldenId ?? '')).toMatchObject({ active: true })
    expect(await world.read(first?.goldenId ?? '')).toMatchObject({ meta: { versionId: '1' } })
  })

  it('is resolved together with many others, in the order asked', async () => {
    const many = Array.from({ length: 40 }, (_, number) =>
      person(`Batch${'abcdefghij'.charAt(number % 10).repeat(4)}`, {
        identifier: [recordNumber(`B${number}`)],
        birthDate: `19${40 + number}-06-17`,
      }),
    )
    const together = await resolvePatients(many, world)
    expect(new Set(together.map(({ goldenId }) => goldenId)).size).toBe(40)
    expect((await resolvePatients(many, world)).map(({ goldenId }) => goldenId)).toEqual(
      together.map(({ goldenId }) => goldenId),
    )
  })
})

describe('records that share no more than names', () => {
  const keys = ['n|ksnt|nmsk']
  const keyOf = (birthDate: string, id: string): Patient & { readonly id: string } => ({
    ...{ resourceType: 'Patient', id, birthDate },
    name: [{ family: 'Cassandt', given: ['Namsak'] }],
  })
  const idsOf = async (born?: string) =>
    (await findCandidates([{ keys, born }], world.database))[0]?.found.map(({ patientId }) => patientId).sort()

  it('are left out where asked, unless a part of the birth date is the same or one is not known', async () => {
    const dates = { year: '1971-08-19', month: '1950-04-20', day: '1951-09-05', none: '1960-06-07', short: '1960' }
    for (const [id, date] of Object.entries(dates)) await world.put(keyOf(date, `born-${id}`))
    expect(await idsOf('1971-04-05')).toEqual(['born-day', 'born-month', 'born-short', 'born-year'])
    expect(await idsOf()).toHaveLength(5)
    await world.put(keyOf('1971-02-02', 'born-none'))
    expect(await idsOf('1971-04-05')).toHaveLength(5)
    await world.put(keyOf('1960-06-07', 'born-year'))
    expect(await idsOf('1971-04-05')).toEqual(['born-day', 'born-month', 'born-none', 'born-short'])
  })
})

describe('a doubtful pair', () => {
  /** Twins: the index must not decide. */
  async function pair(family: string) {
    const first = person(family, {
      birthDate: `19${10 + family.charCodeAt(0)}-02-14`,
      identifier: [recordNumber(`${family}1`)],
      telecom: [{ system: 'phone', value: `07${family.charCodeAt(0)}9988776` }],
    })
    const second = { ...first, identifier: [recordNumber(`${family}2`)], name: [{ family, given: ['Beatrix'] }] }
    const one = await resolveOne(first)
    await world.put({
      ...first,
      id: `${family}-1`,
      link: [{ type: 'refer', other: { reference: `Patient/${one?.goldenId}` } }],
    })
    const other = await resolveOne(second)
    await world.put({
      ...second,
      id: `${family}-2`,
      link: [{ type: 'refer', other: { reference: `Patient/${other?.goldenId}` } }],
    })
    const review = (await openReviews()).find(({ goldenId }) => goldenId === other?.goldenId)
    return { into: one?.goldenId ?? '', from: other?.goldenId ?? '', review, second }
  }

  it('becomes a review that names fields and no values', async () => {
    const { review, into } = await pair('Twinsworth')
    expect(review).toMatchObject({ candidateGoldenId: into, grade: 'probable', status: 'open' })
    expect(review?.comparisons).toContainEqual({ field: 'given', agreement: 'contradicts' })
    expect(JSON.stringify(review)).not.toMatch(/twinsworth|1984/)
  })

  it('that is confirmed is one person from then on, and nothing is lost', async () => {
    const { review, into, from, second } = await pair('Mergewell')
    expect(await confirmReview(review?.id ?? '', 'admin', world)).toMatchObject({
      status: 'confirmed',
      decidedBy: 'admin',
    })
    const refer = { type: 'refer', other: { reference: `Patient/${into}` } }
    expect((await world.read('Mergewell-2'))?.link).toEqual([refer])
    expect(await world.read('Mergewell-2')).toMatchObject({ meta: { versionId: '2' } })
    expect(await world.read(from)).toMatchObject({
      active: false,
      link: [{ type: 'replaced-by', other: { reference: `Patient/${into}` } }],
    })
    expect((await world.read(into))?.link).toEqual([{ type: 'replaces', other: { reference: `Patient/${from}` } }])
    expect(await resolveOne(second)).toMatchObject({ outcome: 'known', goldenId: into })
  })

  it('waits out of sight while one of them has no record: there is nothing to compare', async () => {
    const { review, into, from } = await pair('Vanishing')
    const isAsked = async () => (await openReviews()).some(({ id }) => id === review?.id)
    // Sound: the pair was written just now.
    const second = (await world.read('Vanishing-2')) as StoredPatient
    const refersTo = (golden: string) => [{ type: 'refer' as const, other: { reference: `Patient/${golden}` } }]
    await world.put({ ...second, link: refersTo(into) })
    expect(await isAsked()).toBe(false)
    await world.put({ ...second, link: refersTo(from) })
    expect(await isAsked()).toBe(true)
  })

  it('that is rejected stays two people and is not asked about again', async () => {
    const { review, from, second } = await pair('Rejectson')
    expect(await rejectReview(review?.id ?? '', 'admin', world)).toMatchObject({ status: 'rejected' })
    expect(await resolveOne(second)).toMatchObject({ goldenId: from })
    expect((await openReviews()).filter(({ goldenId }) => goldenId === from)).toEqual([])
  })

  it('is decided once', async () => {
    const { review } = await pair('Oncemore')
    const decisions = await Promise.allSettled([
      confirmReview(review?.id ?? '', 'a', world),
      rejectReview(review?.id ?? '', 'b', world),
    ])
    expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(rejectReview(review?.id ?? '', 'c', world)).rejects.toMatchObject({ kind: 'conflict' })
    const nobody = '00000000-0000-4000-8000-000000000000'
    await expect(confirmReview(nobody, 'c', world)).rejects.toMatchObject({ kind: 'missing' })
  })
})

describe('the frequency of names', () => {
  it('is counted over the index and kept for a while', async () => {
    await using own = await indexWorld()
    const { names, put, clock } = own
    for (let number = 0; number < 12; number++) await put({ ...person('Common'), id: `c${number}` })
    expect((await names.frequency()).bits('family', 'common')).toBeLessThan(8)
    for (let number = 0; number < 12; number++) await put({ ...person('Other'), id: `o${number}` })
    expect((await names.frequency()).bits('family', 'other')).toBeGreaterThan(8.9)
    await clock.advance(5 * 60_000)
    await names.frequency() // starts the count; the old figures serve meanwhile
    await expect.poll(async () => (await names.frequency()).bits('family', 'other')).toBeLessThan(8)
  })
})
