import { describe, expect, it } from 'vitest'
import { plus, type Span } from './calendar.ts'
import type { DoseGiven } from './count-doses.ts'
import { forecast, type Forecast, type ForecastOptions } from './forecast.ts'
import { schedule, type SeriesId } from './schedule.ts'
import { cvxSystem } from './vaccine-codes.ts'

/*
 * The cases follow WHO: "Recommendations for Routine Immunization", tables 1 to 3 (2023), the position papers that each
 * series names, and the decision tables that WHO publishes with test cases (SMART Guidelines for immunizations; the case
 * numbers such as DTP14.3 are theirs, the dates here are ours).
 */
const birth = '2020-01-15'

/** Doses as `code@age`: `198@6w`. */
const dosesAt = (text: string): DoseGiven[] =>
  text.split(' ').flatMap((dose, at) => {
    const [code, age] = dose.split('@')
    if (code === undefined || age === undefined) return []
    const occurrenceDate = plus(birth, age as Span)
    return [{ fhirId: `d${at + 1}`, vaccineCode: code, vaccineSystem: cvxSystem, occurrenceDate }]
  })

function one(series: SeriesId, doses: string, age: Span, options: ForecastOptions = {}): Forecast {
  const all = forecast(birth, 'female', dosesAt(doses), plus(birth, age), { include: [series], ...options })
  const found = all.find((each) => each.series === series)
  expect(found).toBeDefined()
  return found as Forecast
}

/** In a word: `overdue 2/3` is that the second of three is overdue. */
const inShort = ({ status, doseNumber, seriesDoses }: Forecast) => `${status} ${doseNumber}/${seriesDoses ?? '∞'}`

type Case = readonly [what: string, doses: string, age: Span, expected: string]

const cases: Readonly<Record<SeriesId, readonly Case[]>> = {
  bcg: [
    ['newborn (BCG07.4)', '', '0d', 'due 1/1'],
    ['four weeks late', '', '4w', 'overdue 1/1'],
    ['one dose (BCG31.1)', '19@0d', '1y', 'complete 1/1'],
    ['from five years on', '', '5y', 'too-old 1/1'],
  ],
  'hepatitis-b': [
    ['on the first day (HepatitisB08.2)', '', '0d', 'due 1/3'],
    ['after 24 hours', '', '1d', 'overdue 1/3'],
    ['birth dose, at six weeks', '08@0d', '6w', 'due 2/3'],
    ['birth dose and two with DTP', '08@0d 198@6w 198@10w', '1y', 'complete 3/3'],
    ['birth dose and three with DTP', '08@0d 198@6w 198@10w 198@14w', '1y', 'complete 3/3'],
    ['without a birth dose', '198@6w 198@10w', '14w', 'due 3/3'],
    ['without a birth dose, three with DTP', '198@6w 198@10w 198@14w', '14w', 'complete 3/3'],
    ['a second dose after three weeks is not repeated the next week', '08@1d 08@22d', '6w', 'upcoming 2/3'],
    ['a second dose after three weeks, repeated four weeks later', '08@1d 08@22d', '50d', 'due 2/3'],
  ],
  'polio-oral': [
    ['under six weeks (Polio18.1)', '', '5w', 'upcoming 1/3'],
    ['six weeks (Polio19.2)', '', '6w', 'due 1/3'],
    ['the dose at birth is extra', '178@0d', '6w', 'due 1/3'],
    ['two, less than four weeks ago (Polio27.4)', '178@6w 178@10w', '13w', 'upcoming 3/3'],
    ['three', '178@6w 178@10w 178@14w', '1y', 'complete 3/3'],
    ['three of inactivated alone', '10@6w 10@10w 10@14w', '1y', 'complete 3/3'],
    ['three fractional doses stand in for no oral one', '324@6w 324@10w 324@14w', '1y', 'overdue 1/3'],
    ['three records of one day are one dose', '10@14w 10@14w 10@14w', '1y', 'overdue 1/3'],
    ['one of three inactivated came too soon', '10@6w 10@8w 10@14w', '1y', 'overdue 1/3'],
    ['one of three inactivated came too young', '10@5w 10@10w 10@14w', '1y', 'overdue 1/3'],
    ['a third inactivated too soon after the second', '10@6w 10@10w 10@12w', '1y', 'overdue 1/3'],
    ['two inactivated of one day, then two oral', '10@8w 10@8w 178@16w 178@20w', '1y', 'overdue 3/3'],
    ['three of which nobody told the kind', '89@6w 89@10w 89@14w', '1y', 'overdue 1/3'],
    ['three of hexavalent alone', '146@6w 146@10w 146@14w', '1y', 'complete 3/3'],
    ['two inactivated, then two oral', '10@8w 10@12w 178@16w 178@20w', '1y', 'complete 4/4'],
    ['two oral and two inactivated mixed (Polio47.3)', '178@6w 10@14w 178@8m 10@9m', '11m', 'overdue 3/3'],
  ],
  'polio-inactivated': [
    ['under fourteen weeks', '', '13w', 'upcoming 1/2'],
    ['fourteen weeks (Polio20.2)', '', '14w', 'due 1/2'],
    ['second, less than four months later (Polio44.3)', '10@14w', '7m', 'upcoming 2/2'],
    ['second, four months later (Polio45.3)', '10@14w', '8m', 'due 2/2'],
    ['second, at ten months', '10@14w', '10m', 'overdue 2/2'],
    ['two', '10@14w 10@9m', '1y', 'complete 2/2'],
    ['two of which nobody told the kind', '89@14w 89@9m', '1y', 'overdue 1/2'],
    ['two with tetanus and diphtheria', '195@14w 195@9m', '1y', 'complete 2/2'],
    ['two fractional doses', '324@14w 324@9m', '1y', 'complete 2/2'],
  ],
  dtp: [
    ['under six weeks (DTP08.1)', '', '41d', 'upcoming 1/6'],
    ['six weeks (DTP09.2)', '', '6w', 'due 1/6'],
    ['second, less than four weeks later (DTP10.2)', '198@6w', '9w', 'upcoming 2/6'],
    ['second, four weeks later (DTP11.2)', '198@6w', '10w', 'due 2/6'],
    ['third (DTP13.2)', '198@6w 198@10w', '14w', 'due 3/6'],
    ['a late third', '198@6w 198@10w', '6m', 'overdue 3/6'],
    ['booster, under a year (DTP14.3)', '198@6w 198@10w 198@14w', '11m', 'upcoming 4/6'],
    ['booster, at a year (DTP15.3)', '198@6w 198@10w 198@14w', '12m', 'due 4/6'],
    ['booster, past 23 months', '198@6w 198@10w 198@14w', '2y', 'overdue 4/6'],
    ['booster, six months after a late third', '198@6w 198@10w 198@11m', '16m', 'upcoming 4/6'],
    ['second booster, under four years (DTP16.3)', '198@6w 198@10w 198@14w 139@12m', '3y', 'upcoming 5/6'],
    ['second booster, at four (DTP17.3)', '198@6w 198@10w 198@14w 139@12m', '4y', 'due 5/6'],
    ['third booster, under nine (DTP18.3)', '198@6w 198@10w 198@14w 107@12m 139@5y', '8y', 'upcoming 6/6'],
    ['third booster, at nine (DTP19.3)', '198@6w 198@10w 198@14w 107@12m 139@5y', '9y', 'due 6/6'],
    ['all six (DTP20.2)', '198@6w 198@10w 198@14w 107@12m 139@5y 139@9y', '12y', 'complete 6/6'],
    ['no dose after a year (DTP33.2)', '', '2y', 'overdue 1/5'],
    ['late start, second after four weeks (DTP35.2)', '198@2y', '25m', 'due 2/5'],
    ['late start, third under six months (DTP36.2)', '198@2y 198@26m', '30m', 'upcoming 3/5'],
    ['late start, third after six months (DTP37.2)', '198@2y 198@26m', '32m', 'due 3/5'],
    ['late start, booster under a year (DTP38.3)', '198@2y 198@25m 198@31m', '40m', 'upcoming 4/5'],
    ['late start, all five (DTP42.2)', '198@2y 198@25m 198@31m 139@4y 139@5y', '6y', 'complete 5/5'],
    ['interrupted: resumed, not repeated', '198@6w', '3y', 'overdue 2/6'],
    ['tetanus alone is no diphtheria', '112@14m 112@16m 112@22m 35@4y 112@5y', '6y', 'overdue 1/5'],
    ['tetanus alone is no booster', '198@6w 198@10w 198@14w 35@17m 35@5y', '6y', 'overdue 4/6'],
    ['without pertussis, before a year', '195@6w 195@10w 195@14w', '6m', 'overdue 1/6'],
    ['too young, then late', '198@5w 198@13m', '14m', 'due 2/5'],
  ],
  hib: [
    ['six weeks (Hib09.2)', '', '6w', 'due 1/3'],
    ['second, four weeks later (Hib11.4)', '198@6w', '10w', 'due 2/3'],
    ['three', '198@6w 198@10w 198@14w', '1y', 'complete 3/3'],
    ['started after a year: one is enough', '', '13m', 'overdue 1/1'],
    ['one dose after a year (Hib12.3)', '17@13m', '14m', 'complete 1/1'],
    ['one too young, one after a year', '17@5w 17@13m', '14m', 'complete 1/1'],
    ['one too young alone', '17@5w', '13m', 'overdue 1/1'],
    ['from five years on (Hib16.1)', '', '5y', 'too-old 1/1'],
  ],
  pneumococcal: [
    ['under six weeks (Pneumococcal33.1)', '', '5w', 'upcoming 1/3'],
    ['six weeks (Pneumococcal34.2)', '', '6w', 'due 1/3'],
    ['three', '133@6w 133@10w 133@14w', '1y', 'complete 3/3'],
    ['two and a booster at nine months', '133@6w 133@14w 133@9m', '1y', 'complete 3/3'],
    ['started in the second year: two', '133@13m', '14m', 'upcoming 2/2'],
    ['started in the second year, eight weeks on', '133@13m', '15m', 'due 2/2'],
    ['started after two years: one', '133@25m', '26m', 'complete 1/1'],
    ['one too young, one after two years', '133@5w 133@25m', '26m', 'complete 1/1'],
    ['not told which vaccine', '109@6w 109@10w 109@14w', '11m', 'overdue 1/3'],
    ['from five years on', '', '5y', 'too-old 1/1'],
  ],
  rotavirus: [
    ['under six weeks (Rotavirus07.1)', '', '5w', 'upcoming 1/3'],
    ['six weeks (Rotavirus08.3)', '', '6w', 'due 1/3'],
    ['two of the monovalent vaccine', '119@6w 119@10w', '4m', 'complete 2/2'],
    ['two of the pentavalent vaccine', '116@6w 116@10w', '14w', 'due 3/3'],
    ['two products mixed (Rotavirus14.5)', '119@6w 116@10w', '14w', 'due 3/3'],
    ['less than four weeks apart', '119@6w 119@9w', '12w', 'upcoming 2/3'],
    ['four weeks after one that came too soon', '119@6w 119@9w', '13w', 'due 2/3'],
    ['two weeks after a live one by injection', '04@39w', '41w', 'overdue 1/3'],
    ['second, a week after one through the nose', '119@6w 111@14w', '15w', 'overdue 2/3'],
    ['from 24 months on (Rotavirus18.1)', '119@6w', '24m', 'too-old 2/3'],
  ],
  measles: [
    ['under nine months (Measles08.1)', '', '8m', 'upcoming 1/2'],
    ['nine months (Measles09.3)', '', '9m', 'due 1/2'],
    ['a dose in an outbreak at six months is extra', '05@6m', '9m', 'due 1/2'],
    ['second, under fifteen months (Measles11.2)', '03@9m', '12m', 'upcoming 2/2'],
    ['second, fifteen months (Measles12.3)', '03@9m', '15m', 'due 2/2'],
    ['second, four weeks overdue', '03@9m', '16m', 'overdue 2/2'],
    ['two (Measles14.1)', '04@9m 04@15m', '2y', 'complete 2/2'],
    ['two within four weeks', '04@9m 04@39w', '10m', 'upcoming 2/2'],
    ['four weeks after yellow fever (Measles09.3)', '184@8m', '9m', 'due 1/2'],
    ['two weeks after yellow fever (Measles10.3)', '184@38w', '9m', 'upcoming 1/2'],
    ['days after a dose that was too young to count', '04@38w', '9m', 'upcoming 1/2'],
    ['four weeks after it', '04@38w', '43w', 'due 1/2'],
  ],
  rubella: [
    ['under nine months (Rubella08.1)', '', '8m', 'upcoming 1/1'],
    ['nine months (Rubella09.3)', '', '9m', 'due 1/1'],
    ['with measles (Rubella11.1)', '04@9m', '1y', 'complete 1/1'],
    ['measles alone', '05@9m', '1y', 'overdue 1/1'],
    ['days after a dose that was too young to count', '04@38w', '9m', 'upcoming 1/1'],
    ['days after measles alone', '05@9m', '40w', 'upcoming 1/1'],
  ],
  hpv: [
    ['under nine years (HPV27.1)', '', '8y', 'upcoming 1/1'],
    ['nine years (HPV28.2)', '', '9y', 'due 1/1'],
    ['past fourteen years', '', '15y', 'overdue 1/1'],
    ['one dose (HPV34.3)', '165@10y', '12y', 'complete 1/1'],
    ['from 21 years on (HPV29.2)', '', '21y', 'too-old 1/1'],
  ],
  'yellow-fever': [
    ['under nine months (Yellowfever07.2)', '', '8m', 'upcoming 1/1'],
    ['nine months (Yellowfever09.3)', '', '9m', 'due 1/1'],
    ['for life (Yellowfever10.1)', '37@9m', '30y', 'complete 1/1'],
    ['two weeks after measles (Yellowfever08.3)', '04@39w', '9m', 'upcoming 1/1'],
    ['on the day of measles', '04@9m 37@9m', '10m', 'complete 1/1'],
  ],
  'meningococcal-a': [
    ['under nine months (Meningococcal08.1)', '', '8m', 'upcoming 1/1'],
    ['nine to eighteen months (Meningococcal09.2)', '', '12m', 'due 1/1'],
    ['past eighteen months', '', '19m', 'overdue 1/1'],
    ['one dose (Meningococcal10.1)', '108@9m', '1y', 'complete 1/1'],
    ['one of polysaccharide, not conjugated', '191@9m', '12m', 'due 1/1'],
  ],
  typhoid: [
    ['nine months', '', '9m', 'due 1/1'],
    ['possible from six months', '190@6m', '7m', 'complete 1/1'],
    ['too young', '190@5m', '6m', 'upcoming 1/1'],
    ['polysaccharide', '101@2y', '3y', 'overdue 1/1'],
    ['by mouth', '25@6y', '7y', 'overdue 1/1'],
    ['from 45 years on (Typhoid10.2)', '', '45y', 'too-old 1/1'],
  ],
  influenza: [
    ['six months', '', '6m', 'due 1/∞'],
    ['half a year later', '88@6m', '1y', 'upcoming 2/∞'],
    ['a year later', '88@6m', '18m', 'due 2/∞'],
  ],
  'covid-19': [
    ['for those at risk', '', '40y', 'overdue 1/∞'],
    ['a year later', '208@40y', '41y', 'due 2/∞'],
  ],
}

describe.each(Object.entries(cases))('%s', (series, table) => {
  it.each(table)('%s: %s at %s is %s', (_, doses, age, expected) => {
    expect(inShort(one(series as SeriesId, doses, age))).toBe(expected)
  })
})

describe('who has had none', () => {
  it.each([
    ['hepatitis-b', ['1d', '27d', '4w', '5w', '1y', '3y']],
    ['dtp', ['364d', '1y', '13m', '3y', '8y']],
    ['hib', ['364d', '12m', '13m', '3y']],
    ['pneumococcal', ['364d', '12m', '13m', '23m', '24m', '25m', '3y']],
  ] as const)('of %s stays overdue when the plan for later starts takes over', (series, ages) => {
    expect(ages.map((age) => one(series, '', age).status)).toEqual(ages.map(() => 'overdue'))
  })

  it('was recommended the first dose when infants are; only the number is that of a late start', () => {
    const found = one('dtp', '', '1y')
    expect(found).toMatchObject({
      ...{ doseNumber: 1, seriesDoses: 5, rule: { plan: 'late-start' } },
      ...{ earliest: '2020-02-26', recommended: '2020-02-26', overdueFrom: '2020-03-25' },
    })
    expect(found.explanation).toContain('Dose 1 is recommended on 2020-02-26 (at 6 weeks),')
  })
})

describe('the dates of a forecast', () => {
  it('are the earliest, the recommended, the overdue and the last one', () => {
    expect(one('measles', '03@9m', '12m')).toMatchObject({
      earliest: '2020-11-12',
      recommended: '2021-04-15',
      overdueFrom: '2021-05-13',
      tooOldFrom: '2038-01-15',
    })
  })

  it('change status on the day itself, neither before nor after', () => {
    const at = (today: string) => forecast(birth, 'male', [], today).find(({ series }) => series === 'measles')?.status
    expect(['2020-10-14', '2020-10-15', '2020-11-11', '2020-11-12'].map(at)).toEqual([
      'upcoming',
      'due',
      'due',
      'overdue',
    ])
  })

  it('of a child born on the 31st fall on the last day of shorter months', () => {
    const [found] = forecast('2020-05-31', 'male', [], '2020-06-01', {
      series: schedule.filter(({ id }) => id === 'measles'),
    })
    expect(found?.recommended).toBe('2021-02-28')
  })
})

describe('the explanation', () => {
  it('names the doses that count, those that do not and why, and the rule', () => {
    const found = one('dtp', '198@5w 198@6w 198@8w', '9w')
    expect(found.explanation).toBe(
      'One dose counts (2020-02-26). The dose of 2020-02-19 does not count: given before the age of 6 weeks. ' +
        'The dose of 2020-03-11 does not count: given less than 4 weeks after the dose before. ' +
        'Dose 2 is recommended on 2020-04-08 (at 10 weeks, at least 4 weeks after the dose before, ' +
        'at least 4 weeks after the dose of 2020-03-11, which has to be repeated), ' +
        'possible from 2020-04-08 and overdue from 2020-05-06.',
    )
    expect(found.supporting.map(({ fhirId }) => fhirId)).toEqual(['d2'])
    expect(found.notCounted.map(({ fhirId, why }) => [fhirId, why])).toEqual([
      ['d1', 'too-young'],
      ['d3', 'too-soon'],
    ])
    expect(found.rule).toMatchObject({ plan: 'infant', source: expect.stringContaining('tables 1–3') })
  })

  it.each([
    [
      'measles',
      '05@6m',
      '9m',
      'The dose of 2020-07-15 does not count: it is an extra one, given before the age of 9 months.',
    ],
    [
      'polio-oral',
      '178@0d',
      '6w',
      'The dose of 2020-01-15 does not count: it is an extra one, given before the age of 4 weeks.',
    ],
  ] as const)(
    'says of an extra dose against %s why it does not count, and finds no fault with it',
    (series, given, age, said) => {
      const { notCounted, explanation } = one(series, given, age)
      expect(notCounted).toMatchObject([{ fhirId: 'd1', why: 'extra' }])
      expect(explanation).toContain(said)
    },
  )

  it('does not count a dose that was too weak, and says so; the one that repeats it counts at once', () => {
    const weak = dosesAt('198@6w 198@8w').map((dose, at) => ({ ...dose, isSubpotent: at === 0 }))
    const dtp = forecast(birth, 'female', weak, plus(birth, '9w')).find(({ series }) => series === 'dtp')
    expect(dtp).toMatchObject({ doseNumber: 2, supporting: [{ fhirId: 'd2' }], notCounted: [{ why: 'subpotent' }] })
    expect(dtp?.explanation).toContain('The dose of 2020-02-26 does not count: it was not of full potency.')
  })

  it('does not count a dose whose record says what nobody here understands, and says so', () => {
    const odd = dosesAt('17@6w 17@13m').map((dose, at) => ({ ...dose, isQualified: at === 0 }))
    const hib = forecast(birth, 'female', odd, plus(birth, '14m')).find(({ series }) => series === 'hib')
    expect(hib).toMatchObject({
      status: 'complete',
      supporting: [{ fhirId: 'd2' }],
      notCounted: [{ why: 'qualified' }],
    })
    expect(hib?.explanation).toContain('does not count: its record says something that is not understood here.')
  })

  it('starts the plan with the first dose that was strong enough', () => {
    const weak = dosesAt('17@6w 17@13m').map((dose, at) => ({ ...dose, isSubpotent: at === 0 }))
    const hib = forecast(birth, 'female', weak, plus(birth, '14m')).find(({ series }) => series === 'hib')
    expect(hib).toMatchObject({ status: 'complete', supporting: [{ fhirId: 'd2' }] })
  })

  it('names the youngest age of all for a dose before it, also where a later start has chosen the plan', () => {
    const { notCounted, explanation } = one('hib', '17@5w 17@13m', '14m')
    expect(notCounted).toMatchObject([{ fhirId: 'd1', why: 'too-young', countsFrom: '2020-02-26' }])
    expect(explanation).toContain('The dose of 2020-02-19 does not count: given before the age of 6 weeks.')
  })

  it('counts two records of one day once', () => {
    expect(one('dtp', '198@6w 107@6w', '10w').notCounted).toMatchObject([{ fhirId: 'd2', why: 'same-day' }])
  })
})

describe('a dose of which the day is not known', () => {
  /** As `198:2022-03`. */
  const dosesOf = (text: string): DoseGiven[] =>
    text.split(' ').map((dose, at) => {
      const [vaccineCode = '', known = ''] = dose.split(':')
      const occurrencePrecision = known.length === 4 ? 'year' : known.length === 7 ? 'month' : 'day'
      const occurrenceDate = `${known}-01-01`.slice(0, 10)
      return { fhirId: `d${at + 1}`, vaccineCode, vaccineSystem: cvxSystem, occurrenceDate, occurrencePrecision }
    })

  const found = (series: SeriesId, born: string, doses: string) => {
    const all = forecast(born, 'female', dosesOf(doses), '2026-11-16', { include: [series] })
    return all.find((each) => each.series === series)
  }

  type Expected = readonly [what: string, series: SeriesId, born: string, doses: string, counted: readonly string[]]

  it.each<Expected>([
    ['of the month of birth', 'bcg', '2022-03-20', '19:2022-03', ['2022-03']],
    ['of the year of birth', 'hepatitis-b', '2022-03-20', '45:2022', ['2022']],
    ['of one year, three times', 'dtp', '2021-11-20', '198:2022 198:2022 198:2022', ['2022', '2022', '2022']],
    ['of the month after a known day', 'dtp', '2021-11-20', '198:2022-02-10 198:2022-03', ['2022-02-10', '2022-03']],
    ['of the month of the youngest age', 'measles', '2022-03-20', '03:2022-12', ['2022-12']],
    [
      ...(['of a year, between two known days', 'dtp', '2021-11-20'] as const),
      ...(['198:2022-02-10 198:2022-12-20 198:2022', ['2022', '2022-02-10', '2022-12-20']] as const),
    ],
    [
      ...(['of a year, after known days with no room between them', 'dtp', '2021-11-20'] as const),
      ...(['198:2022 198:2022-01-02 198:2022-01-30', ['2022-01-02', '2022-01-30', '2022']] as const),
    ],
    ['of this year', 'dtp', '2026-09-20', '198:2026', ['2026']],
    ['of oral polio, too young for it or not', 'polio-oral', '2022-03-20', '178:2022', ['2022']],
    ['three of inactivated alone', 'polio-oral', '2021-11-20', '10:2022 10:2022 10:2022', ['2022', '2022', '2022']],
  ])('counts if it may have been given in time: %s', (_, series, born, doses, counted) => {
    expect(found(series, born, doses)).toMatchObject({
      supporting: counted.map((known) => ({ known })),
      notCounted: [],
    })
  })

  it.each([
    ['of a month before the birth', 'bcg', '2022-03-20', '19:2022-02', []],
    ['of a year to come', 'bcg', '2022-03-20', '19:2027', []],
    ['of a month before the youngest age', 'typhoid', '2022-03-20', '190:2022-08', [['2022-08', 'too-young']]],
    ['of a month that ends too soon', 'dtp', '2021-11-20', '198:2022-02-10 198:2022-02', [['2022-02', 'too-soon']]],
    ['of one February, twice', 'dtp', '2021-11-20', '198:2022-02 198:2022-02', [['2022-02', 'too-soon']]],
  ] as const)('does not count on any of its days: %s', (_, series, born, doses, faults) => {
    expect(found(series, born, doses)?.notCounted.map(({ known, why }) => [known, why])).toEqual(faults)
  })

  it('is named as exactly as it is known', () => {
    const dtp = found('dtp', '2021-11-20', '198:2021-12 198:2022-02 198:2022-02')
    expect(dtp?.explanation).toContain('One dose counts (2022-02). The dose of 2021-12 does not count')
    expect(dtp?.explanation).toContain('The dose of 2022-02 does not count: given less than 4 weeks after')
  })

  it('leaves what comes after it as early as it can be', () => {
    expect(found('dtp', '2021-11-20', '198:2022 198:2022')).toMatchObject({ doseNumber: 3, earliest: '2022-02-26' })
  })
})

describe('what is given every year', () => {
  it('comes a year after the dose before, and has no end', () => {
    const again = one('influenza', '88@39y', '40y')
    expect(again).toMatchObject({ status: 'due', recommended: '2060-01-15', tooOldFrom: undefined })
    expect(again.explanation).toContain('Dose 2 is recommended on 2060-01-15 (a year after the dose before), possible')
    expect(one('influenza', '', '6m').explanation).toContain('recommended on 2020-07-15 (at 6 months), possible')
  })
})

describe('a live vaccine', () => {
  it('waits for another one, and says for which', () => {
    const bcg = one('bcg', '04@12m', '13m')
    const live = (known: string) => ({ waitsAfter: { because: 'live', known } })
    expect(bcg).toMatchObject({ status: 'due', recommended: '2021-02-12', ...live('2021-01-15') })
    expect(bcg.explanation).toContain('(at birth, at least 4 weeks after the live vaccine of 2021-01-15)')
    expect(one('measles', '184@38w', '9m')).toMatchObject({ status: 'upcoming', ...live('2020-10-07') })
    // Also for the same one, where that does not count.
    expect(one('rubella', '04@38w', '9m')).toMatchObject({ earliest: '2020-11-04', ...live('2020-10-07') })
  })

  it('that has not to wait longer than it would anyway names none', () => {
    expect(one('measles', '184@6m', '9m').waitsAfter).toBeUndefined()
    expect(one('hib', '04@12m', '13m').waitsAfter).toBeUndefined()
  })
})

describe('a dose that came too early', () => {
  it.each([
    ['too soon: by the interval of the dose that it was to be', 'dtp', '198@14m 198@15m 198@17m', '6m', '17m'],
    ['too young for the first: by four weeks', 'hib', '17@5w', '4w', '5w'],
    ['too young for a later one', 'dtp', '198@6w 198@10w 198@14w 107@11m', '6m', '11m'],
    ['twice: by the interval after the second', 'hib', '17@6w 17@8w 17@9w', '4w', '9w'],
  ] as const)('is repeated no sooner than after a dose that counts: %s', (_, series, doses, interval, age) => {
    const { waitsAfter, earliest } = one(series, doses, '18m')
    const known = plus(birth, age)
    const until = plus(known, interval)
    expect({ waitsAfter, earliest }).toEqual({
      waitsAfter: { because: 'not-counted', known, interval, until },
      earliest: until,
    })
  })

  it('makes nobody wait longer than the plan does, nor one that was repeated since', () => {
    expect(one('dtp', '198@6w 198@10w 198@5w', '14w')).toMatchObject({ doseNumber: 3, waitsAfter: undefined })
    expect(one('hib', '17@5w 17@6w', '10w')).toMatchObject({ status: 'due', doseNumber: 2, waitsAfter: undefined })
  })

  it.each([
    ['too weak', { isSubpotent: true }],
    ['one more of that day', { occurrenceDate: plus(birth, '6w') }],
  ])('is no other that does not count: %s', (_, other) => {
    const [first, second] = dosesAt('17@6w 17@9w')
    const doses = first === undefined || second === undefined ? [] : [first, { ...second, ...other }]
    const hib = forecast(birth, 'female', doses, plus(birth, '10w')).find(({ series }) => series === 'hib')
    expect(hib).toMatchObject({ status: 'due', doseNumber: 2, notCounted: [{}], waitsAfter: undefined })
  })
})

describe('what is forecast', () => {
  const series = (sex: string | null, options?: ForecastOptions, doses = '') =>
    forecast(birth, sex, dosesAt(doses), '2021-01-15', options).map((each) => each.series)

  it('is what WHO recommends for all, HPV for girls only', () => {
    const forAll = ['bcg', 'hepatitis-b', 'polio-oral', 'polio-inactivated', 'dtp', 'hib', 'pneumococcal', 'rotavirus']
    expect(series('male')).toEqual([...forAll, 'measles', 'rubella'])
    expect(series('female')).toEqual([...forAll, 'measles', 'rubella', 'hpv'])
    expect(series(null)).not.toContain('hpv')
  })

  it('is more where the programme has it, or where it was given', () => {
    expect(series('male', { include: ['yellow-fever'] })).toContain('yellow-fever')
    expect(series('male', {}, '37@9m')).toContain('yellow-fever')
  })

  it('is nothing from dates that cannot be', () => {
    expect(one('bcg', '19@2y', '1y')).toMatchObject({ status: 'overdue', supporting: [] })
  })

  it('says so when a vaccine must not be given', () => {
    expect(one('bcg', '', '1y', { contraindicated: ['bcg'] }).status).toBe('contraindicated')
  })

  it('gives older children the vaccine of their age', () => {
    expect(one('dtp', '', '2y').vaccine.code).toBe('198')
    expect(one('dtp', '', '8y').vaccine.code).toBe('139')
  })

  it.each([
    ['three from 14 months on, at three years', '198@14m 198@15m 198@21m', '3y', '107'],
    ['a day before the age of four', '198@14m 198@15m 198@21m', '1460d', '107'],
    ['from the age of four on', '198@14m 198@15m 198@21m', '4y', '139'],
    ['the second booster, due before four', '198@12m 198@13m 198@19m 107@31m', '44m', '107'],
    ['an infant’s booster at four', '198@6w 198@10w 198@14w 107@12m', '4y', '139'],
  ] as const)('gives a DTP booster before the age of four, and Td after: %s', (_, doses, age, code) => {
    expect(one('dtp', doses, age).vaccine.code).toBe(code)
  })

  it('is the same however the records are ordered', () => {
    const doses = dosesAt('198@6w 04@9m 198@10w 178@6w 10@14w')
    const today = '2021-06-01'
    expect(forecast(birth, 'female', doses.toReversed(), today)).toEqual(forecast(birth, 'female', doses, today))
  })

  it('is the same with several of one day, in each of its words: a store gives them in an order of its own', () => {
    const doses = dosesAt('198@6w 198@6w 20@6w 198@10w 198@7w 198@14w 198@14w')
    const inTurn = forecast(birth, 'male', doses, plus(birth, '9m'))
    expect(forecast(birth, 'male', doses.toReversed(), plus(birth, '9m'))).toEqual(inTurn)
  })
})
