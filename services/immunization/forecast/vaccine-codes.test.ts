import { describe, expect, it } from 'vitest'
import { schedule } from './schedule.ts'
import { atcSystem, cvxNamesByCode, cvxSystem, icd11System, knownVaccine, vaccineInWords } from './vaccine-codes.ts'

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
    // Every vaccine of a combination: who had it with others was not left without it.
    [cvxSystem, '193', ['hepatitis-b', 'other']],
    [cvxSystem, '220', ['hepatitis-b']],
    [cvxSystem, '148', ['hib', 'other']],
    [cvxSystem, '316', ['meningococcal-a', 'other']],
    [cvxSystem, '327', ['pneumococcal']],
    [cvxSystem, '201', ['influenza']],
    [cvxSystem, '511', ['covid-19']],
    [atcSystem, 'J07CA01', ['td', 'ipv']],
    [atcSystem, 'J07CA03', ['td', 'rubella']],
    [atcSystem, 'J07CA04', ['hib', 'ipv']],
    [atcSystem, 'J07CA07', ['td', 'hepatitis-b']],
    [atcSystem, 'J07CA08', ['hib', 'hepatitis-b']],
    [atcSystem, 'J07CA12', ['dtp', 'hepatitis-b', 'ipv']],
    [atcSystem, 'J07CA13', ['dtp', 'hepatitis-b', 'hib', 'other']],
    [atcSystem, 'J07BC20', ['hepatitis-b', 'other']],
    [atcSystem, 'J07AG51', ['hib']],
    [atcSystem, 'J07AG53', ['hib', 'other']],
    [atcSystem, 'J07AG54', ['hib', 'other']],
    [atcSystem, 'J07AL52', ['pneumococcal']],
    [atcSystem, 'J07AH11', ['meningococcal-a', 'other']],
    [icd11System, 'XM8AW1', ['td', 'ipv']],
    [icd11System, 'XM9744', ['td', 'rubella']],
    [icd11System, 'XM09Q7', ['dtp', 'ipv']],
    [icd11System, 'XM41N3', ['dtp', 'hepatitis-b']],
    [icd11System, 'XM1LX9', ['dtp', 'hib', 'ipv']],
    [icd11System, 'XM3G68', ['td', 'hepatitis-b']],
    [icd11System, 'XM0LT9', ['dtp', 'hepatitis-b', 'ipv']],
    [icd11System, 'XM7JP3', ['dtp', 'hepatitis-b', 'hib']],
    [icd11System, 'XM84S1', ['dtp', 'hepatitis-b', 'hib', 'ipv']],
    [icd11System, 'XM01H1', ['hib', 'ipv']],
    [icd11System, 'XM32L7', ['hib', 'hepatitis-b']],
    [icd11System, 'XM03Y7', ['hepatitis-b', 'other']],
    [icd11System, 'XM4R39', ['pneumococcal']],
  ])('of %s, %s, is known', (system, code, antigens) => {
    expect(knownVaccine(system, code)?.antigens).toEqual(antigens)
  })

  it.each([
    [cvxSystem, '35 112 142', 'tetanus alone'],
    [cvxSystem, '89 109 91', 'not told which'],
    [cvxSystem, '32 191 192 101', 'polysaccharide'],
    [cvxSystem, '25 41 53', 'typhoid'],
    [cvxSystem, '11', 'pertussis alone'],
    [cvxSystem, '167 188', 'not told which'],
    [atcSystem, 'J07AM01 J07AP01 J07AP02 J07AP03 J07CA10', ''],
    [atcSystem, 'J07CA J07BC J07AM J07AF J07AJ J07AH', 'not told which'],
    [atcSystem, 'J07AF01 J07AJ01 J07AJ02', 'alone'],
    [atcSystem, 'J07AH01 J07AH02 J07AH03 J07AH04 J07AH05', 'polysaccharide'],
    [icd11System, 'XM29H5 XM9AK2 XM45L8 XM62J1', 'alone'],
    [icd11System, 'XM91D7 XM2249 XM37L5 XM92B2', 'polysaccharide'],
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

  it.each([
    ['by the name that the record gives it', 'Comirnaty', cvxSystem, '208', 'Comirnaty'],
    ['by the name of its code where the record has nothing else', null, cvxSystem, '208', 'COVID-19'],
    ['so also where the code stands for the name', '208', cvxSystem, '208', 'COVID-19'],
    ['by a code that the table does not hold', 'x-1', 'urn:clinic', 'x-1', 'x-1'],
    ['by nothing', null, null, null, null],
  ])('is shown %s', (_how, vaccineName, system, code, expected) => {
    expect(vaccineInWords({ vaccineName, vaccineSystem: system, vaccineCode: code })).toBe(expected)
  })

  it('of its own, beside one of the table, is shown by the name of that', () => {
    const alsoCoded = [{ system: cvxSystem, code: '19' }]
    const dose = { vaccineName: 'own-7', vaccineSystem: 'urn:clinic', vaccineCode: 'own-7', alsoCoded }
    expect(vaccineInWords(dose)).toBe('BCG')
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
