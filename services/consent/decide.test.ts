import { describe, expect, it } from 'vitest'
import type { AccessRequest } from './access-request.ts'
import { decide, type Decision } from './decide.ts'
import type { ImplicitPolicy } from './implicit-policy.ts'
import type { ConsentRecord } from './record/consent-record.ts'
import { recordWith, requestWith } from './testing/record-fixture.ts'

const today = '2026-06-15'
const permit = (given: Partial<ConsentRecord> = {}) => recordWith(given)
const deny = (given: Partial<ConsentRecord> = {}) => recordWith({ id: 2, provisionType: 'deny', ...given })
const policy = (given: Partial<ConsentRecord> = {}) =>
  recordWith({ id: 3, patientId: null, scopeContext: 'system', isDomainPolicy: true, ...given })

type Case = readonly [
  what: string,
  records: readonly ConsentRecord[],
  request: Partial<AccessRequest>,
  outcome: Decision['outcome'],
  recordId: number | null,
]

const cases: Readonly<Record<string, readonly Case[]>> = {
  'who and what a record is about': [
    ['nothing is recorded', [], {}, 'NO_CONSENT', null],
    ['a permit for everything', [permit()], {}, 'PERMIT', 1],
    ['a deny for everything', [deny()], {}, 'DENY', 2],
    ['a permit of another patient', [permit({ patientId: 'Patient/p2' })], {}, 'NO_CONSENT', null],
    ['a deny of another patient', [permit(), deny({ patientId: 'Patient/p2' })], {}, 'PERMIT', 1],
    ['a permit for this actor', [permit({ actorReference: 'Organization/central' })], {}, 'PERMIT', 1],
    ['a permit for another actor', [permit({ actorReference: 'Organization/lakeside' })], {}, 'NO_CONSENT', null],
    ['an actor of another type', [permit({ actorReference: 'Device/central' })], {}, 'NO_CONSENT', null],
    [
      'the second of two actors',
      [permit({ actorReference: 'Device/app' })],
      { actorReferences: ['Organization/central', 'Device/app'] },
      'PERMIT',
      1,
    ],
    ['a deny for another actor', [permit(), deny({ actorReference: 'Device/app' })], {}, 'PERMIT', 1],
    [
      'a deny for one of two actors',
      [permit(), deny({ actorReference: 'Device/app' })],
      { actorReferences: ['Organization/central', 'Device/app'] },
      'DENY',
      2,
    ],
  ],
  'domain policies': [
    ['a policy of an administrator', [policy()], {}, 'PERMIT', 3],
    ['a policy for this actor', [policy({ actorReference: 'Organization/central' })], {}, 'PERMIT', 3],
    ['a policy for another actor', [policy({ actorReference: 'Organization/x' })], {}, 'NO_CONSENT', null],
    [
      'a permit without patient that no administrator wrote',
      [policy({ isDomainPolicy: false })],
      {},
      'NO_CONSENT',
      null,
    ],
    [
      'a deny without patient that no administrator wrote',
      [permit(), policy({ provisionType: 'deny', isDomainPolicy: false })],
      {},
      'PERMIT',
      1,
    ],
    ['a policy that denies', [permit(), policy({ provisionType: 'deny' })], {}, 'DENY', 3],
    ['a patient who opted out of a policy', [policy(), deny()], {}, 'DENY', 2],
    ['a patient who permits beside a policy', [policy(), permit()], {}, 'PERMIT', 1],
    ['a patient who denies beside a policy that denies', [policy({ provisionType: 'deny' }), deny()], {}, 'DENY', 2],
  ],
  'resource classes': [
    ['one that is listed', [permit({ resourceClasses: ['Patient', 'Observation'] })], {}, 'PERMIT', 1],
    ['one that is not listed', [permit({ resourceClasses: ['Condition'] })], {}, 'NO_CONSENT', 1],
    ['a deny of the class', [permit(), deny({ resourceClasses: ['Observation'] })], {}, 'DENY', 2],
    ['a deny of another class', [permit(), deny({ resourceClasses: ['Condition'] })], {}, 'PERMIT', 1],
    ['a class in another case', [permit({ resourceClasses: ['observation'] })], {}, 'NO_CONSENT', 1],
  ],
  operations: [
    ['reading with rs', [permit({ scopeValues: ['patient/Observation.rs'] })], {}, 'PERMIT', 1],
    ['searching with rs', [permit({ scopeValues: ['patient/*.rs'] })], { operation: 'SEARCH' }, 'PERMIT', 1],
    ['searching with r', [permit({ scopeValues: ['patient/*.r'] })], { operation: 'SEARCH' }, 'NO_CONSENT', 1],
    ['creating with rs', [permit({ scopeValues: ['patient/*.rs'] })], { operation: 'CREATE' }, 'NO_CONSENT', 1],
    ['creating with write', [permit({ scopeValues: ['patient/*.write'] })], { operation: 'CREATE' }, 'PERMIT', 1],
    ['updating with write', [permit({ scopeValues: ['patient/*.write'] })], { operation: 'UPDATE' }, 'PERMIT', 1],
    ['deleting with write', [permit({ scopeValues: ['patient/*.write'] })], { operation: 'DELETE' }, 'PERMIT', 1],
    ['reading with write', [permit({ scopeValues: ['patient/*.write'] })], {}, 'NO_CONSENT', 1],
    ['deleting with cu', [permit({ scopeValues: ['patient/*.cu'] })], { operation: 'DELETE' }, 'NO_CONSENT', 1],
    ['anything with launch scopes only', [permit({ scopeValues: ['launch', 'openid'] })], {}, 'NO_CONSENT', 1],
    [
      'letters of another type do not count where this one is named',
      [permit({ scopeValues: ['patient/Observation.r', 'patient/Condition.cruds'] })],
      { operation: 'CREATE' },
      'NO_CONSENT',
      1,
    ],
    [
      'letters of a wildcard count beside those of the type',
      [permit({ scopeValues: ['patient/Observation.r', 'patient/*.c'] })],
      { operation: 'CREATE' },
      'PERMIT',
      1,
    ],
    [
      'a listed class that no scope names gets the operations of the record',
      [permit({ resourceClasses: ['Observation'], scopeValues: ['patient/Condition.rs'] })],
      {},
      'PERMIT',
      1,
    ],
    [
      'but no others',
      [permit({ resourceClasses: ['Observation'], scopeValues: ['patient/Condition.rs'] })],
      { operation: 'UPDATE' },
      'NO_CONSENT',
      1,
    ],
    ['a deny of writing lets read', [permit(), deny({ scopeValues: ['patient/*.write'] })], {}, 'PERMIT', 1],
    [
      'a deny of writing stops writing',
      [permit(), deny({ scopeValues: ['patient/*.write'] })],
      { operation: 'UPDATE' },
      'DENY',
      2,
    ],
    ['a deny with launch scopes only stops nothing', [permit(), deny({ scopeValues: ['launch'] })], {}, 'PERMIT', 1],
  ],
  'granular scopes': [
    [
      'never open a permit',
      [permit({ scopeValues: ['patient/Observation.rs?category=laboratory'] })],
      {},
      'NO_CONSENT',
      1,
    ],
    [
      'nor one for a type that they do not name',
      [permit({ resourceClasses: [], scopeValues: ['patient/Observation.rs?category=laboratory'] })],
      { resourceType: 'Condition' },
      'NO_CONSENT',
      1,
    ],
    [
      'leave what plain scopes open',
      [permit({ scopeValues: ['patient/Observation.rs?category=laboratory', 'patient/Observation.r'] })],
      {},
      'PERMIT',
      1,
    ],
    [
      'add no letter to it',
      [permit({ scopeValues: ['patient/Observation.rs?category=laboratory', 'patient/Observation.r'] })],
      { operation: 'SEARCH' },
      'NO_CONSENT',
      1,
    ],
    [
      'count in full for a deny',
      [permit(), deny({ scopeValues: ['patient/Observation.rs?category=laboratory'] })],
      {},
      'DENY',
      2,
    ],
  ],
  'status and period': [
    ['an inactive permit', [permit({ status: 'inactive' })], {}, 'NO_CONSENT', 1],
    ['an inactive deny', [permit(), deny({ status: 'inactive' })], {}, 'PERMIT', 1],
    ['a period around the day', [permit({ periodStart: '2026-01-01', periodEnd: '2026-12-31' })], {}, 'PERMIT', 1],
    ['its first day', [permit({ periodStart: today })], {}, 'PERMIT', 1],
    ['its last day', [permit({ periodEnd: today })], {}, 'PERMIT', 1],
    ['its only day', [permit({ periodStart: today, periodEnd: today })], {}, 'PERMIT', 1],
    ['the day before it', [permit({ periodStart: '2026-06-16' })], {}, 'NO_CONSENT', 1],
    ['the day after it', [permit({ periodEnd: '2026-06-14' })], {}, 'NO_CONSENT', 1],
    ['a deny that is over', [permit(), deny({ periodEnd: '2026-06-14' })], {}, 'PERMIT', 1],
    ['a deny that has not begun', [permit(), deny({ periodStart: '2026-06-16' })], {}, 'PERMIT', 1],
    ['only a deny that is over', [deny({ periodEnd: '2026-06-14' })], {}, 'NO_CONSENT', null],
  ],
  purposes: [
    ['the purpose of the record', [permit({ purposes: ['TREAT'] })], {}, 'PERMIT', 1],
    ['another purpose', [permit({ purposes: ['HRESCH'] })], {}, 'NO_CONSENT', null],
    [
      'another purpose beside a permit that is over',
      [permit({ purposes: ['HRESCH'] }), permit({ id: 4, status: 'inactive', periodEnd: '2026-06-14' })],
      {},
      'NO_CONSENT',
      4,
    ],
    ['a deny of another purpose', [permit(), deny({ purposes: ['HRESCH'] })], {}, 'PERMIT', 1],
    ['a deny of the purpose', [permit(), deny({ purposes: ['HRESCH'] })], { purposeOfUse: 'HRESCH' }, 'DENY', 2],
    ['any purpose where none is named', [permit()], { purposeOfUse: 'X-LOCAL' }, 'PERMIT', 1],
    [
      'a kind of the purpose of a permit',
      [permit({ purposes: ['HRESCH'] })],
      { purposeOfUse: 'CLINTRCH' },
      'NO_CONSENT',
      null,
    ],
    [
      'a kind of the purpose of a deny',
      [permit(), deny({ purposes: ['HRESCH'] })],
      { purposeOfUse: 'CLINTRCH' },
      'DENY',
      2,
    ],
    ['a kind of a kind', [permit(), deny({ purposes: ['HRESCH'] })], { purposeOfUse: 'CLINTRCHPC' }, 'DENY', 2],
    [
      'what the purpose of a deny is a kind of',
      [permit(), deny({ purposes: ['CLINTRCH'] })],
      { purposeOfUse: 'HRESCH' },
      'PERMIT',
      1,
    ],
    [
      'an emergency beside a deny of treatment',
      [permit(), deny({ purposes: ['TREAT'] })],
      { purposeOfUse: 'ETREAT' },
      'PERMIT',
      1,
    ],
    ['a purpose that nobody knows', [permit(), deny({ purposes: ['HRESCH'] })], { purposeOfUse: 'RESERCH' }, 'DENY', 2],
    [
      'one that nobody knows and a permit',
      [permit({ purposes: ['HRESCH'] })],
      { purposeOfUse: 'RESERCH' },
      'NO_CONSENT',
      null,
    ],
    [
      'the purpose of a permit that is over',
      [permit({ purposes: ['TREAT'], status: 'inactive' })],
      {},
      'NO_CONSENT',
      1,
    ],
    ['one that nobody knows without a deny', [permit()], { purposeOfUse: 'RESERCH' }, 'PERMIT', 1],
    [
      'a purpose of the country’s own, which a permit has',
      [permit({ purposes: ['X-OWN'] }), deny({ purposes: ['HRESCH'] })],
      { purposeOfUse: 'X-OWN' },
      'PERMIT',
      1,
    ],
    [
      'a purpose that another deny has, which does not open it',
      [
        permit(),
        deny({ purposes: ['HRESCH'] }),
        deny({ id: 4, purposes: ['X-OWN'], resourceClasses: ['Immunization'] }),
      ],
      { purposeOfUse: 'X-OWN' },
      'DENY',
      2,
    ],
    [
      'a purpose that another deny has, which leaves the first as it is',
      [
        permit(),
        deny({ purposes: ['HRESCH'], actorReference: 'Organization/central' }),
        deny({ id: 4, purposes: ['X-OWN'] }),
      ],
      { purposeOfUse: 'X-OWN' },
      'DENY',
      2,
    ],
    [
      'a purpose that a permit for somebody else has',
      [permit(), permit({ id: 4, purposes: ['X-OWN'], actorReference: 'Device/x' }), deny({ purposes: ['HRESCH'] })],
      { purposeOfUse: 'X-OWN' },
      'DENY',
      2,
    ],
    [
      'a purpose that only a permit for other data has',
      [
        permit(),
        permit({ id: 4, purposes: ['X-OWN'], resourceClasses: ['Condition'] }),
        deny({ purposes: ['HRESCH'] }),
      ],
      { purposeOfUse: 'X-OWN' },
      'DENY',
      2,
    ],
    [
      'a purpose that only a permit for other operations has',
      [
        permit(),
        permit({ id: 4, purposes: ['X-OWN'], scopeValues: ['patient/*.s'], permittedOperations: 's' }),
        deny({ purposes: ['HRESCH'] }),
      ],
      { purposeOfUse: 'X-OWN' },
      'DENY',
      2,
    ],
    [
      'a purpose that only a revoked permit has',
      [permit(), permit({ id: 4, purposes: ['X-OWN'], status: 'inactive' }), deny({ purposes: ['HRESCH'] })],
      { purposeOfUse: 'X-OWN' },
      'DENY',
      2,
    ],
    [
      'a purpose that only a permit has that is over',
      [permit(), permit({ id: 4, purposes: ['X-OWN'], periodEnd: '2026-06-14' }), deny({ purposes: ['HRESCH'] })],
      { purposeOfUse: 'X-OWN' },
      'DENY',
      2,
    ],
  ],
  'several records': [
    ['a deny overrides any number of permits', [permit(), deny(), permit({ id: 4 }), policy()], {}, 'DENY', 2],
    [
      'an older deny overrides a newer permit',
      [deny({ id: 1 }), permit({ id: 9, updatedAt: new Date('2026-06-01') })],
      {},
      'DENY',
      1,
    ],
    [
      'an actor-specific permit is reported first',
      [permit(), permit({ id: 5, actorReference: 'Organization/central' })],
      {},
      'PERMIT',
      5,
    ],
    ['then one that lists classes', [permit(), permit({ id: 5, resourceClasses: ['Observation'] })], {}, 'PERMIT', 5],
    [
      'then one that has scopes',
      [permit({ id: 5, scopeValues: ['patient/*.rs'] }), permit({ id: 6 })],
      {},
      'PERMIT',
      5,
    ],
    [
      'then the one changed last',
      [permit({ id: 5, updatedAt: new Date('2026-02-01') }), permit({ id: 6 })],
      {},
      'PERMIT',
      5,
    ],
    ['then the highest id', [permit({ id: 7 }), permit({ id: 11 }), permit({ id: 9 })], {}, 'PERMIT', 11],
    [
      'where none matches, the permit with most checks passed',
      [permit({ id: 5, status: 'inactive', resourceClasses: ['Condition'] }), permit({ id: 4, status: 'inactive' })],
      {},
      'NO_CONSENT',
      4,
    ],
  ],
}

describe.each(Object.entries(cases))('%s', (_kind, table) => {
  it.each(table)('%s', (_what, records, given, outcome, consentRecordId) => {
    const decision = decide(records, requestWith(given), today)
    expect(decision).toMatchObject({ outcome, consentRecordId, permitted: outcome === 'PERMIT' })
    const reported = records.find(({ id }) => id === consentRecordId)
    expect(decision.provisionType).toBe(reported?.provisionType ?? 'deny')
  })
})

describe('the reason', () => {
  it.each([
    [
      'a permit',
      [permit({ scopeValues: ['patient/*.rs'] })],
      'provision type permit – ok; resource class Observation – ok; operation READ (r) in permitted operations "rs" – ok; status active – ok; period open – ok; permitted by consent record 1',
    ],
    [
      'a deny',
      [deny({ periodStart: '2026-01-01' })],
      'provision type deny – ok; resource class Observation – ok; operation READ (r) in permitted operations "cruds" – ok; status active – ok; period from 2026-01-01 – ok; denied by consent record 2',
    ],
    [
      'a permit that fails every check it can',
      [
        permit({
          resourceClasses: ['Condition'],
          scopeValues: ['patient/Condition.write'],
          status: 'inactive',
          periodStart: '2025-01-01',
          periodEnd: '2025-12-31',
        }),
      ],
      'provision type permit – ok; resource class Observation not among Condition – failed; operation READ (r) not in permitted operations "cud" – failed; status inactive – failed; period from 2025-01-01 until 2025-12-31 does not cover 2026-06-15 – failed; not permitted, because no consent record permits it; consent record 1 came closest',
    ],
    [
      'nothing',
      [],
      'provision type – no record; resource class Observation – no record; operation READ (r) versus permitted operations – no record; status – no record; period – no record; not permitted, because no consent record permits it',
    ],
  ])('names all five checks of %s', (_what, records, reason) => {
    expect(decide(records, requestWith(), today).reason).toBe(reason)
  })

  it.each([
    [
      'confined to the purpose',
      [permit({ purposes: ['ETREAT', 'TREAT'] })],
      'provision type permit – ok; resource class Observation – ok; operation READ (r) in permitted operations "cruds" – ok; status active – ok; period open – ok; purpose of use TREAT – ok; permitted by consent record 1',
    ],
    [
      'for another purpose',
      [permit({ purposes: ['HRESCH', 'PUBHLTH'] }), deny({ purposes: ['HRESCH'] })],
      'provision type permit – ok; resource class Observation – ok; operation READ (r) in permitted operations "cruds" – ok; status active – ok; period open – ok; purpose of use TREAT not among HRESCH, PUBHLTH – failed; not permitted, because no consent record permits it; consent record 1 is for other purposes',
    ],
    [
      'for another purpose and over',
      [permit({ purposes: ['HRESCH'], periodEnd: '2026-06-14' })],
      'provision type permit – ok; resource class Observation – ok; operation READ (r) in permitted operations "cruds" – ok; status active – ok; period until 2026-06-14 does not cover 2026-06-15 – failed; purpose of use TREAT not among HRESCH – failed; not permitted, because no consent record permits it; consent record 1 is for other purposes',
    ],
  ])('says so of a permit that is %s', (_what, records, reason) => {
    expect(decide(records, requestWith(), today).reason).toBe(reason)
  })

  it.each([
    ['CLINTRCH', 'purpose of use CLINTRCH is a kind of HRESCH'],
    ['HRESCH', 'purpose of use HRESCH'],
    ['RESERCH', 'purpose of use RESERCH is not known, and may be among HRESCH'],
  ])('says why a refusal of research is one of %s', (purposeOfUse, said) => {
    const { reason } = decide([deny({ purposes: ['HRESCH'] })], requestWith({ purposeOfUse }), today)
    expect(reason).toContain(`; ${said} – ok; denied by consent record 2`)
  })

  it('names beside the closest permit one that permits it for another purpose, and none that would not', () => {
    const inactive = permit({ id: 4, status: 'inactive' })
    const other = permit({ id: 5, purposes: ['HRESCH'] })
    const reasonWith = (given: Partial<ConsentRecord>) =>
      decide([inactive, { ...other, ...given }], requestWith(), today).reason
    expect(reasonWith({})).toContain('record 4 came closest; consent record 5 permits it for other purposes only')
    expect(reasonWith({ resourceClasses: ['Condition'] })).toMatch(/record 4 came closest$/)
    expect(reasonWith({ provisionType: 'deny' })).toMatch(/record 4 came closest$/)
  })

  it('shortens a long list of classes', () => {
    const resourceClasses = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
    expect(decide([permit({ resourceClasses })], requestWith(), today).reason).toContain('A, B, C, D, E and 2 more')
  })

  it('comes with the legal basis of the record', () => {
    expect(decide([permit({ regulatoryBasis: 'Act 5' })], requestWith(), today).regulatoryBasis).toBe('Act 5')
    expect(decide([], requestWith(), today).regulatoryBasis).toBeNull()
  })
})

describe('an implicit policy other than deny', () => {
  it.each([
    ['permit-all', 'HRESCH', true],
    ['permit-treatment', 'TREAT', true],
    ['permit-treatment', 'ETREAT', true],
    ['permit-treatment', 'HRESCH', false],
    ['break-glass-only', 'BTG', true],
    ['break-glass-only', 'TREAT', false],
    ['deny', 'BTG', false],
  ] as const)('%s for %s where nothing is recorded: %s', (implicit: ImplicitPolicy, purposeOfUse, permitted) => {
    expect(decide([], requestWith({ purposeOfUse }), today, implicit).permitted).toBe(permitted)
  })

  it('never opens what a record denies', () => {
    expect(decide([deny()], requestWith(), today, 'permit-all')).toMatchObject({ permitted: false, outcome: 'DENY' })
  })
})
