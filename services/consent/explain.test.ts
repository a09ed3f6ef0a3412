import { describe, expect, it } from 'vitest'
import { explain } from './explain.ts'
import type { ConsentRecord } from './record/consent-record.ts'
import { recordWith, requestWith } from './testing/record-fixture.ts'

const day = '2026-06-15'
const deny = { id: 2, provisionType: 'deny' } as const

describe('what would turn a decision round', () => {
  it.each([
    ['nothing single where nothing is recorded', [], []],
    ['revoking the only permit', [recordWith()], ['If consent record 1 (permit) were revoked']],
    ['nothing single where two permit', [recordWith(), recordWith({ id: 3 })], []],
    [
      'revoking the only deny over a permit',
      [recordWith(), recordWith(deny)],
      ['If consent record 2 (deny) were revoked'],
    ],
    ['nothing single under a lone deny', [recordWith(deny)], []],
    [
      'another class',
      [recordWith({ resourceClasses: ['Condition'] })],
      ['If consent record 1 (permit) covered Observation'],
    ],
    [
      'another operation',
      [recordWith({ scopeValues: ['patient/*.c'] })],
      ['If consent record 1 (permit) covered READ (r)'],
    ],
    ['another status', [recordWith({ status: 'inactive' })], ['If consent record 1 (permit) were active']],
    ['another period', [recordWith({ periodEnd: '2026-01-01' })], ['If consent record 1 (permit) covered the day']],
    ['another purpose', [recordWith({ purposes: ['HRESCH'] })], ['If consent record 1 (permit) were for any purpose']],
    ['nothing single where two checks fail', [recordWith({ status: 'inactive', periodEnd: '2026-01-01' })], []],
    [
      'a deny that would reach further',
      [recordWith(), recordWith({ ...deny, scopeValues: ['patient/*.write'] })],
      ['If consent record 1 (permit) were revoked', 'If consent record 2 (deny) covered READ (r)'],
    ],
  ])('%s', (_what, records, counterfactuals) => {
    const explanation = explain(records, requestWith(), day)
    expect(explanation.counterfactuals).toEqual(counterfactuals)
    const checksOf = ({ purposes }: ConsentRecord) => (purposes.length === 0 ? 5 : 6)
    expect(explanation.candidates.map(({ checks }) => checks.length)).toEqual(records.map(checksOf))
  })
  it('is not a wider permit where that one is how its purpose is known', () => {
    const records = [recordWith({ purposes: ['X-OWN'] }), recordWith({ ...deny, purposes: ['HRESCH'] })]
    const { decision, counterfactuals } = explain(records, requestWith({ purposeOfUse: 'X-OWN' }), day)
    expect(decision.permitted).toBe(true)
    expect(counterfactuals).toEqual([
      'If consent record 1 (permit) were revoked',
      'If consent record 2 (deny) were for any purpose',
    ])
  })
})
