import { describe, expect, it } from 'vitest'
import { schedule } from './schedule.ts'
import { atcSystem, cvxNamesByCode, cvxSystem, icd11System, knownVaccine } from './vaccine-codes.ts'

describe('a vaccine code', () => {
  it.each([
    [cvxSystem, '198', ['dtp', 'hepatitis-b', 'hib']],
    [cvxSystem, '3', ['measles', 'mumps', 'rubella']],
    ['urn:oid:2.16.840.1.113883.12.292', '03', ['measles', 'mumps', 'rubella']],
    [null, '19', ['bcg']],
    [atcSystem, 'J07CA09', ['dtp', 'hepatitis-b', 'hib', 'ipv']],
    [icd11System, 'XM79H3', ['opv']],
    [cvxSystem, '195', ['td', 'ipv']],
    ['2.16.840.1.113883.12.292', '03', ['measles', 'mumps', 'rubella']],
    ['urn:oid:2.16.840.1.113883.6.59', '03', ['measles', 'mumps', 'rubella']],
    ['urn:oid:2.16.840.1.113883.6.73', 'J07BK01', ['varicella']],
    ['URN:OID:2.16.840.1.113883.6.347', 'XM28X5', ['measles']],
    ['http://id.who.int/icd11/mms', 'XM0NS8', ['varicella']],
    [icd11System, 'XM0GQ8', ['covid-19']],
    ['http://id.who.int/icd11/mms', 'XM8NQ0', ['covid-19']],
    [atcSystem, 'J07BD', ['measles']],
    [atcSystem, 'J07BL', ['yellow-fever']],
    [atcSystem, 'J07BK', ['other']],
  ])('of %s, %s, is known', (system, code, antigens) => {
    expect(knownVaccine(system, code)?.antigens).toEqual(antigens)
  })

  it.each([
    [cvxSystem, '35 112 142', 'tetanus alone'],
    [cvxSystem, '89 109 91', 'not told which'],
    [cvxSystem, '32 191 192 101', 'polysaccharide'],
    [cvxSystem, '25 41 53', 'typhoid'],
    [atcSystem, 'J07AM01 J07AP01 J07AP02 J07AP03', ''],
  ])('of %s, %s, is of no series: it is not what that is made of', (system, codes, name) => {
    for (const code of codes.split(' ')) {
      const known = knownVaccine(system, code)
      expect([code, known?.antigens, known?.name.toLowerCase().includes(name)]).toEqual([code, ['other'], true])
    }
  })

  it.each([
    [cvxSystem, '99999'],
    ['http://snomed.info/sct', '19'],
    [cvxSystem, null],
  ])('of %s, %s, is not', (system, code) => {
    expect(knownVaccine(system, code)).toBeUndefined()
  })

  it('is given by every series, and counts for it', () => {
    for (const series of schedule) {
      const rules = series.plans.flatMap(({ doses }) => doses)
      const given = [series.give, ...rules.flatMap(({ give = [] }) => give)]
      const counting = new Set([...series.antigens, ...(series.alsoFrom?.antigens ?? [])])
      for (const { code } of given) {
        expect([series.id, knownVaccine(cvxSystem, code)?.antigens.some((each) => counting.has(each))]).toEqual([
          series.id,
          true,
        ])
      }
    }
  })

  it('has a name for the page that works without a network', () => {
    expect(cvxNamesByCode()).toMatchObject({
      '03': 'Measles, mumps and rubella',
      '19': 'BCG',
      '112': 'Tetanus alone',
      '89': 'Polio, not told which',
      '190': 'Typhoid conjugate',
    })
  })
})
