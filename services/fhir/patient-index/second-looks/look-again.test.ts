import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Patient, PatientLink } from '../../../../packages/fhir/r4.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { confirmReview } from '../decide-review.ts'
import { resolvePatients } from '../resolve.ts'
import { listReviews } from '../store/reviews.ts'
import { indexWorld, type IndexWorld } from '../testing/index-world.ts'
import { lookAgain } from './look-again.ts'
import { secondLookQueue } from './second-look.ts'

let world: IndexWorld
let worker: ReturnType<typeof lookAgain>
beforeAll(async () => {
  world = await indexWorld()
  worker = lookAgain(world)
  worker.start()
})
afterAll(async () => {
  await worker.stop()
  await world[Symbol.asyncDispose]()
})

const nationalId = (value: string) => ({ type: { coding: [{ code: 'NI' }] }, system: 'urn:nid', value })
const numbered = (value: string, rest: Partial<Patient> = {}): Patient => ({
  ...{ resourceType: 'Patient', identifier: [{ system: 'urn:central', value }] },
  ...rest,
})
const named = (family: string, birthDate: string): Partial<Patient> => ({
  ...{ name: [{ family, given: ['Amina'] }], gender: 'female', birthDate },
})

/** As the bridge does: resolved, and written with the golden record; its id is that of the record's number. */
async function write(patient: Patient, ...links: readonly PatientLink[]): Promise<string> {
  const [{ goldenId } = { goldenId: '' }] = await resolvePatients([patient], world)
  const id = patient.identifier?.[0]?.value ?? ''
  const link = [{ type: 'refer' as const, other: { reference: `Patient/${goldenId}` } }, ...links]
  await world.put({ ...patient, id, link })
  return goldenId
}

const waiting = async () =>
  (await world.database.many<{ key: string }>(sql`select key from kit.jobs where queue = ${secondLookQueue}`)).map(
    ({ key }) => key,
  )

/** Pairs of golden records that somebody is asked about, among these. */
async function pairsAmong(...goldenIds: readonly string[]): Promise<string[][]> {
  await worker.drain()
  const { reviews } = await listReviews('open', { size: 100, offset: 0 }, world.database)
  return reviews
    .map(({ goldenId, candidateGoldenId }) => [goldenId, candidateGoldenId])
    .filter((pair) => pair.every((one) => goldenIds.includes(one)))
    .map((pair) => pair.toSorted())
}

describe('somebody of whom more becomes known', () => {
  it.each<[string, Partial<Patient>, Partial<Patient>]>([
    ['who had no name', { name: [{ family: 'Doe', given: ['John'] }] }, named('Vantongeren', '1971-02-03')],
    ['who had no birth date', { name: named('Quispelow', '').name ?? [] }, named('Quispelow', '1972-03-04')],
    ['of whom nothing was told', {}, named('Zwartveldt', '1973-04-05')],
  ])('%s, is compared with everybody, and somebody is asked', async (what, before, after) => {
    const [number, other] = [`more-${what.length}`, `there-${what.length}`]
    const known = await write(numbered(other, { ...after, telecom: [{ system: 'phone', value: '0771234000' }] }))
    const first = await write(numbered(number, before))
    expect(first).not.toBe(known)
    expect(await write(numbered(number, { ...after, telecom: [{ system: 'phone', value: '0771234000' }] }))).toBe(first)
    expect(await pairsAmong(first, known)).toEqual([[first, known].toSorted()])
    // Nothing is linked by itself.
    expect(await write(numbered(number, after))).toBe(first)
  })

  it('by a national number is compared with who has it', async () => {
    const known = await write(numbered('nat-1', { ...named('Oudkerkpool', '1974-05-06') }))
    const withNumber = { identifier: [{ system: 'urn:central', value: 'nat-1' }, nationalId('7740001')] }
    await write(numbered('nat-1', { ...named('Oudkerkpool', '1974-05-06'), ...withNumber }))
    const first = await write(numbered('nat-2', { name: [{ family: 'Nijssenaar', given: ['Amina'] }] }))
    const own = { identifier: [{ system: 'urn:central', value: 'nat-2' }, nationalId('7740001')] }
    await write(numbered('nat-2', { name: [{ family: 'Nijssenaar', given: ['Amina'] }], ...own }))
    expect(await pairsAmong(first, known)).toEqual([[first, known].toSorted()])
  })

  it('is not looked for where nothing of it is new, or when the record is first written', async () => {
    const whole = numbered('same', { ...named('Wittebrood', '1975-06-07') })
    await write(whole)
    await worker.drain()
    await worker.stop()
    await write({ ...whole, telecom: [{ system: 'phone', value: '0770001112' }] })
    const { name: _unsaid, ...less } = whole
    await write(less)
    expect(await waiting()).toEqual([])
    await write({ ...whole, birthDate: '1975-06-08' })
    expect(await waiting()).toEqual(['same'])
    worker = lookAgain(world)
    worker.start()
    await worker.drain()
    expect(await waiting()).toEqual([])
  })
})

const to = (type: PatientLink['type'], id: string): PatientLink => ({ type, other: { reference: `Patient/${id}` } })

describe('two records that are said to be of one person', () => {
  it('by a merge, are asked about where the one that goes has records elsewhere', async () => {
    const survivor = await write(numbered('merge-1', { ...named('Hoogesteger', '1980-01-02') }))
    const goes = numbered('merge-2', { name: [{ family: 'Langejans', given: ['Berta'] }], birthDate: '1981-02-03' })
    const gone = await write(goes)
    const merge = () => world.put({ ...goes, id: 'merge-2', link: [to('refer', gone), to('replaced-by', 'merge-1')] })
    await merge()
    expect(await pairsAmong(survivor, gone)).toEqual([])
    const further = { ...goes, identifier: [{ system: 'urn:lakeside', value: 'merge-3' }] }
    await world.put({ ...further, id: 'merge-3', link: [to('refer', gone)] })
    await merge()
    expect(await pairsAmong(survivor, gone)).toEqual([[gone, survivor].toSorted()])
  })

  it('by a link (A24), are asked about, and not once more when they are one', async () => {
    const [one, other] = [
      numbered('link-1', { name: [{ family: 'Brinkhoff', given: ['Chris'] }], birthDate: '1990-03-04' }),
      numbered('link-2', { name: [{ family: 'Zeldenrust', given: ['Dirk'] }], birthDate: '1957-11-30' }),
    ]
    const golden = [await write(one), await write(other)]
    await write(one, to('seealso', 'link-2'))
    await write(other, to('seealso', 'link-1'))
    expect(await pairsAmong(...golden)).toEqual([golden.toSorted()])
    const { reviews } = await listReviews('open', { size: 100, offset: 0 }, world.database)
    await confirmReview(reviews.find(({ goldenId }) => golden.includes(goldenId))?.id ?? '', 'admin', world)
    await write(one, to('seealso', 'link-2'))
    expect(await pairsAmong(...golden)).toEqual([])
  })
})
