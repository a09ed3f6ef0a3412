import { describe, expect, it } from 'vitest'
import { checkCandidates, checkNames } from './checks.ts'
import { decide } from './decide.ts'
import { implicitPolicies } from './implicit-policy.ts'
import type { ConsentRecord } from './record/consent-record.ts'
import { recordWith, requestWith } from './testing/record-fixture.ts'

const today = '2026-06-15'
const newer = { id: 2, updatedAt: new Date('2026-02-01T00:00:00Z') }
const actor = { actorReference: 'Organization/central' }
const classes = { resourceClasses: ['Observation'] }
const scopes = { scopeValues: ['patient/*.rs'] }
const policy = { patientId: null, isDomainPolicy: true }

describe('of several records that decide, the one is reported that', () => {
  it.each<[string, Partial<ConsentRecord>, Partial<ConsentRecord>, number]>([
    ['is of the patient', {}, { ...policy, ...actor, ...classes, ...scopes, ...newer }, 1],
    ['names the actor', actor, { ...classes, ...scopes, ...newer }, 1],
    ['names types', classes, { ...scopes, ...newer }, 1],
    ['names scopes', scopes, newer, 1],
    ['was changed last', { ...newer, id: 1 }, { id: 2 }, 1],
    ['was changed last, where both name everything', wholeWith({ id: 1 }), wholeWith(newer), 2],
    ['was changed last, where both name several', severalWith({ id: 1 }), severalWith(newer), 2],
    ['was changed last of the policies', { ...policy, id: 1 }, { ...policy, ...newer }, 2],
    ['was made last', { id: 1 }, { id: 2 }, 2],
  ])('%s', (_what, some, other, reported) => {
    const records = [recordWith(some), recordWith(other)]
    for (const given of [records, records.toReversed()]) {
      expect(decide(given, requestWith(), today).consentRecordId).toBe(reported)
    }
  })
})

describe('where no record decides', () => {
  it('the closest permit is reported with its legal basis', () => {
    const records = [
      recordWith({ id: 1, status: 'inactive', regulatoryBasis: 'Act 5' }),
      recordWith({ id: 2, status: 'inactive', periodEnd: '2026-01-01', ...actor, regulatoryBasis: 'Act 6' }),
    ]
    expect(decide(records, requestWith(), today)).toMatchObject({
      ...{ permitted: false, outcome: 'NO_CONSENT', provisionType: 'permit' },
      ...{ consentRecordId: 1, regulatoryBasis: 'Act 5' },
      reason: expect.stringMatching(/status inactive – failed; .*; consent record 1 came closest$/) as string,
    })
  })

  it('a deny that did not match is not reported', () => {
    const records = [recordWith({ provisionType: 'deny', status: 'inactive' })]
    expect(decide(records, requestWith(), today)).toMatchObject({ provisionType: 'deny', consentRecordId: null })
  })

  it('an implicit policy is reported as a permit without a record', () => {
    expect(decide([], requestWith(), today, 'permit-all')).toEqual({
      permitted: true,
      outcome: 'PERMIT',
      provisionType: 'permit',
      consentRecordId: null,
      reason: [
        'provision type – no record',
        'resource class Observation – no record',
        'operation READ (r) versus permitted operations – no record',
        'status – no record',
        'period – no record',
        'permitted without a record by the implicit policy permit-all',
      ].join('; '),
      regulatoryBasis: null,
    })
  })

  it('the policies to choose from are these', () => {
    expect(implicitPolicies).toEqual(['deny', 'break-glass-only', 'permit-treatment', 'permit-all'])
  })
})

describe('the five checks', () => {
  it('are those of the specification, in its order', () => {
    const names = ['provision type', 'resource class', 'operation', 'status', 'period']
    expect(checkNames).toEqual(names)
    const [checked] = checkCandidates([recordWith()], requestWith(), today)
    expect(checked?.checks.map(({ name }) => name)).toEqual(names)
  })
})

describe('the reason says', () => {
  it.each<[string, Partial<ConsentRecord>, string]>([
    ['that there is no period', {}, 'period open – ok'],
    ['when it begins', { periodStart: today }, `period from ${today} – ok`],
    ['when it ends', { periodEnd: today }, `period until ${today} – ok`],
    ['both', { periodStart: today, periodEnd: today }, `period from ${today} until ${today} – ok`],
    ['that it is over', { periodEnd: '2026-06-14' }, `period until 2026-06-14 does not cover ${today} – failed`],
    [
      'five types in full',
      { resourceClasses: ['A', 'B', 'C', 'D', 'E'] },
      'Observation not among A, B, C, D, E – failed',
    ],
    [
      'more types as a number',
      { resourceClasses: ['A', 'B', 'C', 'D', 'E', 'F'] },
      'not among A, B, C, D, E and 1 more – failed',
    ],
    ['what may be done', scopes, 'operation READ (r) in permitted operations "rs" – ok'],
    ['what may not', { scopeValues: ['patient/*.c'] }, 'operation READ (r) not in permitted operations "c" – failed'],
  ])('%s', (_what, record, words) => {
    expect(decide([recordWith(record)], requestWith(), today).reason).toContain(words)
  })
})

function wholeWith(given: Partial<ConsentRecord>): Partial<ConsentRecord> {
  return { ...actor, ...classes, ...scopes, ...given }
}

function severalWith(given: Partial<ConsentRecord>): Partial<ConsentRecord> {
  const several = { resourceClasses: ['Observation', 'Condition'], scopeValues: ['patient/*.r', 'patient/*.s'] }
  return { ...actor, ...several, ...given }
}
