import { expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { createValidate } from '../../../packages/fhir/validate/validator.ts'
import { forecast } from './forecast.ts'
import { toImmunizationRecommendation } from './immunization-recommendation.ts'
import { cvxSystem } from './vaccine-codes.ts'

const cvx = (fhirId: string, vaccineCode: string, occurrenceDate: string) => ({
  fhirId,
  vaccineCode,
  vaccineSystem: cvxSystem,
  occurrenceDate,
})

const given = [cvx('a', '19', '2025-01-15'), cvx('b', '198', '2025-02-26'), cvx('c', '04', '2025-10-15')]
const into = { patient: 'Patient/amina', date: new Date('2025-11-15T08:00:00Z') }

it('is valid R4 for every age from birth to adulthood', async () => {
  const validate = createValidate(await loadDefinitions())
  for (let year = 2025; year < 2048; year++) {
    const forecasts = forecast('2025-01-15', 'female', given, `${year}-11-15`, { contraindicated: ['hib'] })
    expect(validate(toImmunizationRecommendation(forecasts, into))).toEqual([])
  }
})

it('says that it was calculated, from which doses, by which rule', () => {
  const resource = toImmunizationRecommendation(forecast('2025-01-15', 'male', given, '2025-11-15'), into)
  expect(resource).toMatchObject({
    meta: { tag: [{ system: 'urn:corridor:forecast', code: 'calculated' }] },
    patient: { reference: 'Patient/amina' },
    date: '2025-11-15T08:00:00.000Z',
  })
  const [bcg, , , , dtp, , , , measles] = resource?.recommendation ?? []
  expect(bcg).toMatchObject({
    series: 'bcg',
    forecastStatus: { coding: [{ code: 'immune' }] },
    doseNumberPositiveInt: 1,
  })
  expect(bcg).not.toHaveProperty('dateCriterion')
  expect(dtp).toMatchObject({
    vaccineCode: [{ coding: [{ system: cvxSystem, code: '198' }] }],
    forecastStatus: { coding: [{ code: 'overdue' }] },
    doseNumberPositiveInt: 2,
    seriesDosesPositiveInt: 6,
    supportingImmunization: [{ reference: 'Immunization/b' }],
    description: expect.stringMatching(
      /^Calculated from the doses of this record alone, not a clinical decision\. One dose counts \(2025-02-26\)\./,
    ),
    dateCriterion: [
      { code: { coding: [{ system: 'http://loinc.org', code: '30980-7' }] }, value: '2025-03-26' },
      { code: { coding: [{ code: '30981-5' }] }, value: '2025-03-26' },
      { code: { coding: [{ code: '59778-1' }] }, value: '2025-04-23' },
      { code: { coding: [{ code: '59777-3' }] }, value: '2043-01-14' },
    ],
  })
  expect(measles).toMatchObject({ forecastStatus: { text: 'upcoming' } })
})

it('names the last day on which it is given, which is not yet too late, and none for what has no end', () => {
  const born = '2025-01-15'
  const latestOf = (series: string, today: string) =>
    toImmunizationRecommendation(forecast(born, 'male', [], today, { include: ['influenza'] }), into)
      ?.recommendation.find((each) => each.series === series)
      ?.dateCriterion?.find(({ code }) => code.coding?.[0]?.code === '59777-3')?.value
  expect(latestOf('rotavirus', '2027-01-14')).toBe('2027-01-14')
  expect(latestOf('rotavirus', '2027-01-15')).toBeUndefined()
  expect(latestOf('influenza', '2027-01-15')).toBeUndefined()
})

it('leaves out what is no longer given, and is nothing when nothing is left', () => {
  const resource = toImmunizationRecommendation(forecast('2025-01-15', 'male', [], '2030-02-01'), into)
  const series = resource?.recommendation.map((each) => each.series)
  expect(series).not.toContain('rotavirus')
  expect(toImmunizationRecommendation(forecast('1950-01-15', 'male', [], '2025-11-15'), into)).toBeUndefined()
})
