import { describe, expect, it } from 'vitest'
import { recordWith } from '../testing/record-fixture.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { furtherPurposes, furtherTypes, questionsOf, whatChanges, type Proposal } from './what-changes.ts'
import { purposeWords, typeWords } from './words.ts'

const today = '2026-03-04'
const central = 'Organization/central'
const lakeside = 'Organization/lakeside'
const patientId = 'Patient/p1'

const policy = (actorReference: string, id: number) =>
  recordWith({ id, actorReference, patientId: null, isDomainPolicy: true, purposes: ['TREAT'] })

const addition = (changed: ConsentRecord, before: readonly ConsentRecord[] = []): Proposal => ({
  ...{ patientId, before, after: [...before, changed], changed: [changed] },
})
const changesOf = (proposal: Proposal) => whatChanges(questionsOf(proposal, 10_000), today, 'deny')
const adding = (changed: ConsentRecord, before?: readonly ConsentRecord[]) => changesOf(addition(changed, before))

it('tells a permission for one facility in one line', async () => {
  const changed = recordWith({
    actorReference: central,
    scopeValues: ['patient/Observation.rs', 'patient/Condition.rs'],
    resourceClasses: ['Observation', 'Condition'],
    purposes: ['TREAT', 'HRESCH'],
  })
  expect(await adding(changed)).toEqual([
    {
      actors: [central],
      permitted: true,
      types: ['Observation', 'Condition'],
      letters: 'rs',
      purposes: ['TREAT', 'HRESCH'],
    },
  ])
})

it('names those who lose something by a refusal for everybody, and nobody who had nothing', async () => {
  const refusal = recordWith({ id: 9, provisionType: 'deny', resourceClasses: ['Immunization'] })
  const before = [policy(central, 1), policy(lakeside, 2)]
  expect(await adding(refusal, before)).toEqual([
    { actors: [central, lakeside], permitted: false, types: ['Immunization'], letters: 'rscud', purposes: ['TREAT'] },
  ])
})

describe('everything', () => {
  const usual = Object.keys(typeWords)
  const typesOf = async (...asked: Parameters<typeof adding>) => (await adding(...asked)).map(({ types }) => types)

  it('is told of a record that is about everything, and not of one that names every usual kind', async () => {
    expect(await typesOf(recordWith({ actorReference: central, purposes: ['TREAT'] }))).toEqual(['all'])
    const named = recordWith({ actorReference: central, purposes: ['TREAT'], resourceClasses: usual })
    expect(await typesOf(named)).toEqual([usual])
  })

  it('is not told where other records decide on a kind, usual or not', async () => {
    const changed = recordWith({ id: 9, actorReference: central, purposes: ['TREAT'] })
    const refusal = recordWith({ provisionType: 'deny', resourceClasses: ['Procedure'] })
    expect(await typesOf(changed, [refusal])).toEqual([[...usual, furtherTypes]])
    const permit = recordWith({ resourceClasses: ['Observation'] })
    expect(await typesOf(changed, [permit])).toEqual([
      [...usual.filter((type) => type !== 'Observation'), furtherTypes],
    ])
    expect(await typesOf(changed, [recordWith({ resourceClasses: usual })])).toEqual([[furtherTypes]])
    const scoped = recordWith({ scopeValues: ['patient/Procedure.rs'], provisionType: 'deny' })
    expect(await typesOf({ ...changed, permittedOperations: 'cud' }, [scoped])).toEqual(['all'])
  })
})

describe('any purpose', () => {
  const usual = Object.keys(purposeWords)
  const central9 = { id: 9, actorReference: central, resourceClasses: ['Observation'] }
  const purposesOf = async (...asked: Parameters<typeof adding>) =>
    (await adding(...asked)).map(({ purposes }) => purposes)

  it('is told of a record that is for any, and not of one that names every usual purpose', async () => {
    expect(await purposesOf(recordWith(central9))).toEqual(['all'])
    expect(await purposesOf(recordWith({ ...central9, purposes: usual }))).toEqual([usual])
  })

  it('is not told where other records decide on a purpose, usual or not', async () => {
    const others = (...purposes: string[]) => [recordWith({ purposes })]
    const changed = recordWith(central9)
    expect(await purposesOf(changed, others('CLINTRCH'))).toEqual([[...usual, furtherPurposes]])
    expect(await purposesOf(changed, others('HRESCH'))).toEqual([
      [...usual.filter((purpose) => purpose !== 'HRESCH'), furtherPurposes],
    ])
    expect(await purposesOf(changed, others(...usual))).toEqual([[furtherPurposes]])
    expect(await purposesOf(changed, others('HMARKT'))).toEqual([[...usual, furtherPurposes]])
  })
})

it('tells a permission for everybody of those whom no record names, too', async () => {
  const changed = recordWith({ id: 9, resourceClasses: ['Observation'], purposes: ['TREAT'] })
  expect((await adding(changed, [policy(central, 1)])).map(({ actors }) => actors)).toEqual([[null]])
})

it.each([
  ['under a refusal', recordWith({ id: 9, actorReference: central }), [recordWith({ provisionType: 'deny' })]],
  ['beside a permission that says the same', recordWith({ id: 9 }), [recordWith()]],
  ['that is over', recordWith({ id: 9, periodEnd: '2026-03-03' }), []],
])('finds no change by a permission %s', async (_which, changed, before) => {
  expect(await adding(changed, before)).toEqual([])
})

it('finds no answer turned round by nothing', async () => {
  const before = [recordWith(), policy(central, 2)]
  expect(await changesOf({ patientId, before, after: before, changed: [recordWith()] })).toEqual([])
})

it('tells both what a change gives and what it takes', async () => {
  const was = recordWith({ id: 9, actorReference: central, resourceClasses: ['Observation'], purposes: ['TREAT'] })
  const is = { ...was, actorReference: lakeside, purposes: ['HRESCH'] }
  const changes = await changesOf({ patientId, before: [was], after: [is], changed: [was, is] })
  expect(changes.map(({ actors, permitted, purposes }) => ({ actors, permitted, purposes }))).toEqual([
    { actors: [central], permitted: false, purposes: ['TREAT'] },
    { actors: [lakeside], permitted: true, purposes: ['HRESCH'] },
  ])
})

it('tells that a refusal of a purpose takes what was permitted for a kind of it', async () => {
  const permit = recordWith({ actorReference: central, purposes: ['CLINTRCH'] })
  const refusal = recordWith({ id: 9, provisionType: 'deny', purposes: ['HRESCH'] })
  expect((await adding(refusal, [permit])).map(({ actors, purposes }) => ({ actors, purposes }))).toEqual([
    { actors: [central], purposes: ['CLINTRCH'] },
  ])
})

it('tells that a refusal of a purpose takes one of the country’s own of what no permit that names it gives', async () => {
  const permits = [
    recordWith({ actorReference: central }),
    recordWith({ id: 2, actorReference: central, resourceClasses: ['Condition'], purposes: ['X-OWN', 'CLINTRCH'] }),
  ]
  const refusal = recordWith({ id: 9, provisionType: 'deny', actorReference: central, purposes: ['HPAYMT'] })
  const changes = await adding({ ...refusal, resourceClasses: ['Condition', 'Observation'] }, permits)
  expect(changes.map(({ types, purposes }) => ({ types, purposes }))).toEqual([
    { types: ['Observation'], purposes: ['HPAYMT', 'X-OWN'] },
    { types: ['Condition'], purposes: ['HPAYMT'] },
  ])
})

describe('a refusal of every kind of data, beside a policy for each of many facilities', () => {
  const types = [...Object.keys(typeWords), ...Array.from({ length: 140 }, (_, at) => `Type${at}`)]
  const refusal = recordWith({ id: 99, provisionType: 'deny', resourceClasses: types })
  const facilities = Array.from({ length: 50 }, (_, at) => `Organization/f${at}`)
  const policies = facilities.map((facility, at) => policy(facility, at + 1))
  const own = recordWith({ id: 98, actorReference: lakeside, resourceClasses: ['Condition'] })
  const proposal = addition(refusal, [...policies, own])

  it('asks once for all that no record tells apart', () => {
    // Of lakeside, of everybody else and of the fifty alike; of diagnoses and of all the rest; for seven purposes and one more.
    expect(questionsOf(proposal, 10_000).asked).toHaveLength(3 * 2 * 5 * 8)
  })

  it('tells of all of them, those first whom the patient’s own records name', async () => {
    const changes = await changesOf(proposal)
    expect(changes).toMatchObject([
      { actors: [lakeside], permitted: false, types: ['Condition'], letters: 'rscud' },
      { actors: facilities, permitted: false, types, purposes: ['TREAT'] },
    ])
  })

  it('leaves out the last where there is more than may be asked, and says so', () => {
    const [whole, cut] = [240, 239].map((max) => questionsOf(proposal, max))
    expect([whole?.isCut, whole?.asked.length]).toEqual([false, 240])
    expect([cut?.isCut, cut?.asked.length]).toEqual([true, 239])
    const { whom, asked } = questionsOf(proposal, 140)
    expect([...new Set(asked.map(({ who }) => whom[who]?.actors))]).toEqual([[lakeside], [null]])
  })

  it('lets others have their turn in between', async () => {
    let turns = 0
    let next = setImmediate(function turn() {
      turns++
      next = setImmediate(turn)
    })
    await changesOf(proposal)
    clearImmediate(next)
    expect(turns).toBeGreaterThanOrEqual(10)
  })
})
