import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { decimalOf } from '../../../packages/fhir/parse-json.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { replacement } from '../interactions/changes.ts'
import { fullAccess } from '../scopes/access.ts'
import { confirmReview, rejectReview } from './decide-review.ts'
import { mergeGoldenRecords } from './golden/merge.ts'
import { matchOperation } from './match-operation.ts'
import type { StoredPatient } from './index-patients.ts'
import { recognisePatients, resolvePatients } from './resolve.ts'
import { findCandidates } from './store/candidates.ts'
import { listReviews, openingReviews } from './store/reviews.ts'
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
    indexMetrics: world.indexMetrics,
    base: 'http://localhost:8080/fhir',
    visiblePatients: (ids) => world.records.read(ids, world.database),
  })

const parameters = (resource: Patient, rest: readonly object[] = []) => ({
  resourceType: 'Parameters',
  parameter: [{ name: 'resource', resource }, ...rest],
})

const corrected = (number: string) => person('Misread', { identifier: [recordNumber(number)], birthDate: '1938-08-14' })
const linkTo = async (number: string) => ({
  link: [
    { type: 'refer' as const, other: { reference: `Patient/${(await resolveOne(corrected(number)))?.goldenId}` } },
  ],
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

  it('who was merged twice in a row, whose old records keep what they say, is still one person', async () => {
    const thricely = (number: string, facility?: string) =>
      person('Thricely', {
        identifier: [recordNumber(number, facility)],
        birthDate: '1957-12-06',
        telecom: [{ system: 'phone', value: '0745454545' }],
      })
    const golden = (await resolveOne(thricely('T3')))?.goldenId ?? ''
    const linked = (type: 'refer' | 'replaced-by', id: string) => [{ type, other: { reference: `Patient/${id}` } }]
    await world.put({ ...thricely('T1'), id: 'thrice-1', link: linked('replaced-by', 'thrice-2') })
    await world.put({ ...thricely('T2'), id: 'thrice-2', link: linked('replaced-by', 'thrice-3') })
    await world.put({ ...thricely('T3'), id: 'thrice-3', link: linked('refer', golden) })
    expect(await resolveOne(thricely('T9', 'lakeside'))).toMatchObject({ outcome: 'matched', goldenId: golden })
    expect(await resolveOne(thricely('T1'))).toEqual({ outcome: 'known', goldenId: golden })
  })

  it('whose merges lead in a circle is still answered', async () => {
    const round = person('Circulus', { birthDate: '1956-11-05' })
    const into = (id: string) => [{ type: 'replaced-by' as const, other: { reference: `Patient/${id}` } }]
    for (const at of [1, 2, 3]) await world.put({ ...round, id: `round-${at}`, link: into(`round-${(at % 3) + 1}`) })
    expect(await resolveOne(round)).toMatchObject({ grade: 'probable' })
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

  it('whose numbers belong to two golden records has that of the first, and somebody is asked', async () => {
    const [north, south] = [recordNumber('N1', 'north'), recordNumber('S1', 'south')]
    const one = person('Borealis', { identifier: [north], birthDate: '1942-06-21' })
    const other = person('Australis', { identifier: [south], birthDate: '1971-12-22' })
    const [first, second] = await resolvePatients([one, other], world)
    const put = (id: string, patient: Patient, goldenId = '') =>
      world.put({ ...patient, id, link: [{ type: 'refer', other: { reference: `Patient/${goldenId}` } }] })
    // The ids are in the other order than the numbers, and so is what was written.
    await put('z-borealis', one, first?.goldenId)
    await put('a-australis', other, second?.goldenId)
    await put('z-borealis', { ...one, active: true }, first?.goldenId)
    const [a, b] = [first?.goldenId, second?.goldenId]
    const both = { ...one, identifier: [north, south] }
    const turned = { ...one, identifier: [south, north] }
    const expected = [
      { outcome: 'known', goldenId: a, rivals: [b] },
      { outcome: 'known', goldenId: b, rivals: [a] },
    ]
    expect(await recognisePatients([both, turned], world)).toEqual(expected)
    const about = async () =>
      (await openReviews()).filter(({ goldenId }) => goldenId === a || goldenId === b).map((review) => ({ ...review }))
    expect(await about()).toEqual([])
    expect(await resolvePatients([both, turned], world)).toEqual(expected)
    expect(await about()).toHaveLength(1)
    const [review] = await about()
    expect(review).toMatchObject({ goldenId: b, candidateGoldenId: a, candidatePatientId: 'z-borealis' })
    // Asked again, in whatever order, it is one question still.
    expect(await resolvePatients([turned, both], world)).toEqual(expected.toReversed())
    expect(await about()).toHaveLength(1)
    await confirmReview(review?.id ?? '', 'admin', world)
    expect(await resolvePatients([both, turned], world)).toEqual([
      { outcome: 'known', goldenId: a },
      { outcome: 'known', goldenId: a },
    ])
  })

  it('who shares the number of an account or a membership with the family is somebody else', async () => {
    const shared = { type: { coding: [{ code: 'MB' }] }, system: 'urn:insurer', value: 'F-7781' }
    const father = person('Insurer', { identifier: [shared, recordNumber('F1')], birthDate: '1961-05-17' })
    const daughter = {
      ...person('Insurer', { identifier: [shared, recordNumber('F2')], birthDate: '1993-10-08' }),
      name: [{ family: 'Insurer', given: ['Yevgenia'] }],
    }
    const son = { ...daughter, identifier: [shared], name: [{ family: 'Insurer', given: ['Oswald'] }] }
    const resolutions = await resolvePatients([father, daughter, son], world)
    expect(resolutions.map(({ outcome }) => outcome)).toEqual(['new', 'new', 'new'])
    expect(new Set(resolutions.map(({ goldenId }) => goldenId)).size).toBe(3)
    expect((await resolvePatients([father, daughter, son], world)).map(({ goldenId }) => goldenId)).toEqual(
      resolutions.map(({ goldenId }) => goldenId),
    )
  })

  it('whose number differs from that of another in what stands between the digits is somebody else', async () => {
    const one = person('Slashwood', { identifier: [recordNumber('12/3')], birthDate: '1941-02-27' })
    const other = person('Dashwood', {
      identifier: [recordNumber('1/23')],
      birthDate: '1999-11-16',
      name: [{ family: 'Dashwood', given: ['Elinor'] }],
    })
    const resolutions = await resolvePatients([one, other], world)
    expect(resolutions.map(({ outcome }) => outcome)).toEqual(['new', 'new'])
    expect(new Set(resolutions.map(({ goldenId }) => goldenId)).size).toBe(2)
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

  it.each([
    ['was corrected', async () => world.put({ ...corrected('M2'), id: 'misread', ...(await linkTo('M1')) })],
    ['was deleted with its record', () => world.remove('misread')],
  ])('who gets a number that %s is not the one who had it, and shares no golden record', async (what, gives) => {
    const first = await resolveOne(corrected('M1'))
    const elsewhere = { ...corrected('M1'), identifier: [recordNumber(`E1`, 'elsewhere')] }
    await world.put({ ...corrected('M1'), id: 'misread', ...(await linkTo('M1')) })
    await world.put({ ...elsewhere, id: 'misread-elsewhere', ...(await linkTo('M1')) })
    await gives()
    const other = {
      name: [{ family: 'Truebearer', given: [`Wolfgang ${what.split(' ')[1]}`] }],
      birthDate: '2003-10-29',
    }
    const owner = person('Truebearer', { identifier: [recordNumber('M1')], ...other })
    const [again] = await resolvePatients([owner], world)
    expect(again).toMatchObject({ outcome: 'new' })
    expect(again?.goldenId).not.toBe(first?.goldenId)
    expect(await world.read(again?.goldenId ?? '')).toMatchObject({ active: true })
    expect(await resolveOne(owner)).toMatchObject({ goldenId: again?.goldenId })
  })

  it('who has the name that somebody of the same card had before it was corrected shares no golden record with them', async () => {
    const card = { type: { coding: [{ code: 'HC' }] }, system: 'urn:card', value: '4711 22' }
    const twin = (given: string) => ({
      ...person('Sharecard', { identifier: [card] }),
      ...{ name: [{ family: 'Sharecard', given: [given] }], birthDate: '2024-02-03' },
    })
    const first = await resolveOne(twin('Amina'))
    const link = [{ type: 'refer' as const, other: { reference: `Patient/${first?.goldenId}` } }]
    await world.put({ ...twin('Amina'), id: 'sharecard-1', link })
    await world.put({ ...twin('Berta'), id: 'sharecard-1', link })
    const second = await resolveOne(twin('Amina'))
    expect(second).toMatchObject({ outcome: 'new', grade: 'probable' })
    expect(second?.goldenId).not.toBe(first?.goldenId)
    expect(await world.read(second?.goldenId ?? '')).toMatchObject({ active: true })
    const { reviews } = await listReviews('open', { size: 100, offset: 0 }, world.database)
    expect(reviews.filter(({ goldenId }) => goldenId === second?.goldenId)).toEqual([])
    // Somebody is asked as soon as there are two records to compare.
    const own = [{ type: 'refer' as const, other: { reference: `Patient/${second?.goldenId}` } }]
    await world.put({ ...twin('Amina'), id: 'sharecard-2', link: own })
    const asked = await listReviews('open', { size: 100, offset: 0 }, world.database)
    expect(asked.reviews.filter(({ goldenId }) => goldenId === second?.goldenId)).toMatchObject([
      { candidateGoldenId: first?.goldenId },
    ])
    expect(await resolveOne(twin('Amina'))).toMatchObject({ goldenId: second?.goldenId })
  })

  it('of whom nothing but a number of the family is known keeps the golden record that follows from it', async () => {
    const account = { type: { coding: [{ code: 'AN' }] }, system: 'urn:account', value: 'A-77' }
    const nameless: Patient = { resourceType: 'Patient', identifier: [account] }
    const first = await resolveOne(nameless)
    const link = [{ type: 'refer' as const, other: { reference: `Patient/${first?.goldenId}` } }]
    await world.put({ ...nameless, id: 'nameless-account', link })
    expect(await resolveOne(nameless)).toEqual(first)
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
    // The ids of this test are made of the name.
    expect(JSON.stringify({ ...review, candidatePatientId: '' })).not.toMatch(/twinsworth|1984/i)
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

  it('that is confirmed keeps what a message writes meanwhile, and every digit', async () => {
    const { review, into } = await pair('Keepsworth')
    const extension = [{ url: 'urn:geo', valueDecimal: decimalOf('-1.2900') as number }]
    // Sound: the pair was written just now.
    const before = (await world.read('Keepsworth-2')) as StoredPatient
    const resource = { ...before, address: [{ extension, city: 'Moved' }] }
    const { confirming } = await world.database.transaction(async (tx) => {
      const change = replacement({ type: 'Patient', id: before.id, resource, access: fullAccess }, world.deps)
      await world.deps.store.writeTogether([change], tx)
      const ended = confirmReview(review?.id ?? '', 'admin', world)
      await waitFor(isAnybodyWaiting, { what: 'the merge to wait for the message' })
      return { confirming: ended }
    })
    await confirming
    const after = await world.read(before.id)
    expect(after).toMatchObject({ meta: { versionId: '3' }, address: [{ city: 'Moved' }] })
    expect(after?.link).toEqual([{ type: 'refer', other: { reference: `Patient/${into}` } }])
    expect(JSON.stringify(after)).toContain('-1.2900')
  })

  const refersTo = (golden: string) => [{ type: 'refer' as const, other: { reference: `Patient/${golden}` } }]

  it('that is confirmed stays one person, though a message that was under way refers to the replaced one', async () => {
    const { review, into, from, second } = await pair('Underway')
    await confirmReview(review?.id ?? '', 'admin', world)
    await world.put({ ...second, id: 'Underway-2', link: refersTo(from) })
    expect(await resolveOne(second)).toEqual({ outcome: 'known', goldenId: into })
    expect(await recognisePatients([second], world)).toEqual([{ outcome: 'known', goldenId: into }])
    await world.put({ ...second, id: 'Underway-2', birthDate: '1931-03-04', link: refersTo(from) })
    expect(await resolveOne(second)).toEqual({ outcome: 'known', goldenId: into })
  })

  it('that is confirmed stays one person through the merge of the other as well', async () => {
    const first = await pair('Linkwell')
    const other = await pair('Jointure')
    await confirmReview(first.review?.id ?? '', 'admin', world)
    await world.database.transaction((tx) =>
      mergeGoldenRecords({ from: first.into, into: other.into }, tx, world.records),
    )
    await world.put({ ...first.second, id: 'Linkwell-2', link: refersTo(first.from) })
    expect(await resolveOne(first.second)).toEqual({ outcome: 'known', goldenId: other.into })
    // Golden records refer to nobody and are nobody's records.
    expect((await world.read(first.from))?.link).toEqual([
      { type: 'replaced-by', other: { reference: `Patient/${first.into}` } },
    ])
  })

  it('that is confirmed and taken apart by hand is two people again', async () => {
    const { review, into, from, second } = await pair('Handwork')
    await confirmReview(review?.id ?? '', 'admin', world)
    // Sound: the merge has written it.
    const { link: _, ...golden } = (await world.read(from)) as StoredPatient
    await world.put({ ...golden, active: true })
    await world.put({ ...second, id: 'Handwork-2', link: refersTo(from) })
    expect(await resolveOne(second)).toEqual({ outcome: 'known', goldenId: from })
    expect(from).not.toBe(into)
  })

  /** Not asked in the transaction of the message: there the list of sessions stays the one that was seen first. */
  const isAnybodyWaiting = async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await world.database.many(waiting)).length > 0
  }

  it('waits out of sight while one of them has no record: there is nothing to compare', async () => {
    const { review, into, from } = await pair('Vanishing')
    const isAsked = async () => (await openReviews()).some(({ id }) => id === review?.id)
    // Sound: the pair was written just now.
    const second = (await world.read('Vanishing-2')) as StoredPatient
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

  it('that somebody has said no to is not asked about again when one of them is merged, whichever way round', async () => {
    const { from, into, review } = await pair('Yesterley')
    const third = person('Bystander', { identifier: [recordNumber('Y-3')], birthDate: '2011-06-02' })
    const golden = (await resolveOne(third))?.goldenId ?? ''
    await world.put({
      ...{ ...third, id: 'yesterley-3' },
      link: [{ type: 'refer', other: { reference: `Patient/${golden}` } }],
    })
    const ask = async (goldenId: string, candidateGoldenId: string) => {
      const asked = { id: systemIds.timeUuid(), goldenId, candidateGoldenId, candidatePatientId: 'yesterley-3' }
      const opening = { ...asked, probability: 0.9, grade: 'probable', comparisons: [], createdAt: new Date() } as const
      for (const statement of openingReviews([opening])) await world.database.run(statement)
      return asked.id
    }
    await rejectReview(await ask(into, golden), 'admin', world)
    await ask(golden, from)
    await confirmReview(review?.id ?? '', 'admin', world)
    const left = (await openReviews()).filter(({ goldenId, candidateGoldenId }) =>
      [goldenId, candidateGoldenId].includes(golden),
    )
    expect(left).toEqual([])
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

describe('a doubtful pair with an ordinary Patient, to which others refer', () => {
  const refersTo = (golden: string) => [{ type: 'refer' as const, other: { reference: `Patient/${golden}` } }]
  const somebody = (name: string, birthDate: string) =>
    person(name, { identifier: [recordNumber(`${name}-1`)], birthDate })

  /** A message has the numbers of both. Whose comes second is asked about: the first was there before. */
  async function confirmOnePerson(first: Patient, second: Patient) {
    const known = new Set((await openReviews()).map(({ id }) => id))
    await resolveOne({ ...first, identifier: [...(first.identifier ?? []), ...(second.identifier ?? [])] })
    const review = (await openReviews()).find(({ id }) => !known.has(id))
    return confirmReview(review?.id ?? '', 'admin', world)
  }

  it('keeps that one, where what its patient refuses is recorded, also when it came later', async () => {
    const [first, second] = [somebody('Registered', '1931-05-17'), somebody('Ordinarily', '1987-08-02')]
    const golden = (await resolveOne(first))?.goldenId ?? ''
    await world.put({ ...first, id: 'registered', link: refersTo(golden) })
    await world.put({ ...second, id: 'ordinarily' })
    const elsewhere = { ...second, identifier: [recordNumber('E1', 'lakeside')], id: 'ordinarily-elsewhere' }
    await world.put({ ...elsewhere, link: refersTo('ordinarily') })

    expect(await confirmOnePerson(first, second)).toMatchObject({ goldenId: 'ordinarily', candidateGoldenId: golden })
    for (const one of [first, second, elsewhere])
      expect(await resolveOne(one)).toEqual({ outcome: 'known', goldenId: 'ordinarily' })
    expect((await world.read('registered'))?.link).toEqual(refersTo('ordinarily'))
    expect(await world.read(golden)).toMatchObject({ active: false, link: [{ type: 'replaced-by' }] })
    expect((await world.read('ordinarily'))?.link).toEqual([
      { type: 'replaces', other: { reference: `Patient/${golden}` } },
    ])
  })

  it('leaves that one in use and tells of it, where the other is one as well', async () => {
    const first = somebody('Severald', '1929-01-19')
    const second = somebody('Moreover', '1958-06-23')
    const third = somebody('Thirdly', '1990-10-30')
    for (const [at, one] of [first, second, third].entries()) await world.put({ ...one, id: `several-${at}` })
    const elsewhere = { ...person('Severalwhere'), identifier: [recordNumber('E2', 'lakeside')] }
    await world.put({ ...elsewhere, id: 'several-elsewhere', link: refersTo('several-0') })
    expect(await resolveOne(elsewhere)).toEqual({ outcome: 'known', goldenId: 'several-0' })

    await confirmOnePerson(second, first)
    const now = { outcome: 'known', goldenId: 'several-1', goldenBefore: ['several-0'] }
    expect(await resolveOne(elsewhere)).toEqual(now)
    expect(await recognisePatients([second], world)).toEqual([now])
    const before = await world.read('several-0')
    expect(before).toMatchObject({ meta: { tag: [{ code: 'golden-before' }] }, link: refersTo('several-1') })
    // It is in use, and nothing has taken its place.
    expect([before?.active, (await world.read('several-1'))?.link]).toEqual([undefined, undefined])

    await confirmOnePerson(third, second)
    const later = { ...now, goldenId: 'several-2', goldenBefore: ['several-0', 'several-1'] }
    expect(await resolveOne(elsewhere)).toEqual(later)

    // Taken apart by hand.
    // Sound: it was read before.
    const { link: _, ...apart } = before as StoredPatient
    await world.put(apart)
    expect(await resolveOne(first)).toEqual({ outcome: 'known', goldenId: 'several-0' })
    expect(await resolveOne(elsewhere)).toEqual({ ...later, goldenBefore: ['several-1'] })
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
