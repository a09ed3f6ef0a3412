import { expect, it } from 'vitest'
import type { ConsentRecord } from '../record/consent-record.ts'
import { insertRecord } from '../store/records.ts'
import { consentDatabase } from '../testing/consent-database.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { isSeenBasis, previewOfChange, previewOfNew, previewOfRevoking, type Preview } from './preview.ts'

const clock = { now: () => new Date('2026-03-04T10:00:00Z') }
const central = 'Organization/central'
type Deps = Parameters<typeof previewOfRevoking>[1]

// Sound: a preview needs no more of the settings and the clock.
const depsOn = ({ database }: Pick<Deps, 'database'>) =>
  ({ database, settings: { timeZone: 'UTC', implicitPolicy: 'deny' }, clock }) as unknown as Deps

/** What is shown of a step as day and answer: nothing else has a say, but for what a refusal is against. */
async function shownOf(record: ConsentRecord, previewOf: (deps: Deps) => Promise<Preview>) {
  await using own = await consentDatabase()
  await insertRecord(record, own.database)
  if (record.provisionType === 'deny') await insertRecord(recordWith({ id: 2 }), own.database)
  const { days } = await previewOf(depsOn(own))
  return days.flatMap(({ day, changes }) => changes.map(({ permitted }) => `${day} ${permitted ? 'yes' : 'no'}`))
}

it.each([
  ['later, of its first day', '2027-06-01', '2027-06-01'],
  ['before, of today', '2025-06-01', '2026-03-04'],
])('what revoking would change is told, of a consent that began or begins %s', async (_when, periodStart, day) => {
  const record = recordWith({ periodStart, actorReference: central })
  expect(await shownOf(record, (deps) => previewOfRevoking(record, deps))).toEqual([`${day} no`])
})

it.each([
  ['gets an end', {}, { periodEnd: '2026-12-31' }, ['2027-01-01 no']],
  ['loses its end', { periodEnd: '2026-12-31' }, { periodEnd: null }, ['2027-01-01 yes']],
  ['begins later', { periodStart: '2027-03-01' }, { periodStart: '2027-06-01' }, ['2027-03-01 no']],
  ['begins earlier', { periodStart: '2027-06-01' }, { periodStart: '2027-03-01' }, ['2027-03-01 yes']],
  ['waits now', {}, { periodStart: '2027-06-01' }, ['2026-03-04 no']],
  ['counted once, and comes back', { periodEnd: '2025-12-31' }, { periodEnd: '2026-12-31' }, ['2026-03-04 yes']],
  [
    'is moved',
    { periodStart: '2027-01-01', periodEnd: '2027-01-31' },
    { periodStart: '2027-03-01', periodEnd: '2027-03-31' },
    ['2027-01-01 no', '2027-03-01 yes'],
  ],
  ['refuses, and ends earlier', { provisionType: 'deny' }, { periodEnd: '2026-12-31' }, ['2027-01-01 yes']],
  [
    'permits less, and ends',
    {},
    { actorReference: 'Organization/lakeside', periodEnd: '2026-12-31' },
    ['2026-03-04 no', '2026-03-04 yes'],
  ],
  ['ends with the last of years', {}, { periodEnd: '9999-12-31' }, []],
  ['has another note', {}, { note: 'another' }, []],
] as const)('a consent that %s shows every day on which an answer turns round', async (_how, was, is, shown) => {
  const record = recordWith({ actorReference: central, ...was })
  expect(await shownOf(record, (deps) => previewOfChange(record, { ...record, ...is }, deps))).toEqual(shown)
})

it.each([
  [
    'a new permit is told of the day on which a refusal ends',
    { provisionType: 'deny', periodEnd: '2026-12-31' },
    'yes',
  ],
  ['a revocation of the day on which another permit ends', { periodEnd: '2026-12-31' }, 'no'],
  ['one that names somebody else, of its own days only', { actorReference: 'Organization/lakeside' }, undefined],
] as const)('%s', async (_what, other, answer) => {
  await using own = await consentDatabase()
  const record = recordWith({ actorReference: central })
  await insertRecord(recordWith({ id: 2, ...other }), own.database)
  if (answer === 'no') await insertRecord(record, own.database)
  const deps = depsOn(own)
  const { days } = await (answer === 'no' ? previewOfRevoking(record, deps) : previewOfNew(record, 'Patient/p1', deps))
  const told = days.flatMap(({ day, changes }) => changes.map(({ permitted }) => [day, permitted ? 'yes' : 'no']))
  expect(told).toEqual([answer === undefined ? ['2026-03-04', 'yes'] : ['2027-01-01', answer]])
})

it('a refusal that begins later, and a policy that refuses, stand against a new consent', async () => {
  await using own = await consentDatabase()
  const policy = { patientId: null, isDomainPolicy: true, scopeContext: 'system', provisionType: 'deny' } as const
  await insertRecord(recordWith({ id: 2, ...policy }), own.database)
  await insertRecord(recordWith({ id: 3, provisionType: 'deny', periodStart: '2027-01-01' }), own.database)
  await insertRecord(recordWith({ id: 4, provisionType: 'deny', periodEnd: '2026-03-03' }), own.database)
  const deps = depsOn(own)
  const { opposed } = await previewOfNew(recordWith({ actorReference: central }), 'Patient/p1', deps)
  expect(opposed.map(({ id }) => id)).toEqual([3, 2])
})

it('at most forty are named, those first whom the patient’s own records name, and the rest is counted', async () => {
  await using own = await consentDatabase()
  const policy = { patientId: null, isDomainPolicy: true, scopeContext: 'system' } as const
  for (let id = 1; id <= 41; id++)
    await insertRecord(recordWith({ id, ...policy, actorReference: `Organization/f${id}` }), own.database)
  await insertRecord(recordWith({ id: 50, actorReference: central }), own.database)
  const deps = depsOn(own)
  const refusal = recordWith({ id: 60, provisionType: 'deny' })
  const { days, isPartial } = await previewOfNew(refusal, 'Patient/p1', deps)
  const [told] = days[0]?.changes ?? []
  expect([told?.actors.length, told?.actors[0], told?.more, isPartial]).toEqual([40, central, 2, false])
})

it('a step is taken on the records that its preview showed, and on no others', async () => {
  await using own = await consentDatabase()
  await insertRecord(recordWith(), own.database)
  const deps = depsOn(own)
  const { basis } = await previewOfNew(recordWith({ provisionType: 'deny' }), 'Patient/p1', deps)
  const isSeen = () => isSeenBasis(basis, 'Patient/p1', deps)
  expect([await isSeen(), await isSeenBasis(undefined, 'Patient/p1', deps)]).toEqual([true, false])
  await insertRecord(recordWith({ id: 2 }), own.database)
  expect(await isSeen()).toBe(false)
})
