import { describe, expect, it } from 'vitest'
import { patientsWord } from '../../../packages/fhir/patients-word.ts'
import type { Immunization, Reference } from '../../../packages/fhir/r4.ts'
import { criterion, immunization, recommendation } from '../testing/resources.ts'
import { groupsOf } from './groups.ts'
import { filterHistory } from './history-filter.ts'
import { recommendationsOf } from './recommendation.ts'
import { daysAfter } from './summary.ts'
import { vaccinationOf, type VaccinationRecord } from './vaccination.ts'

const cvx = 'http://hl7.org/fhir/sid/cvx'
const performer = (code: string, actor: Reference) => ({
  function: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0443', code }] },
  actor,
})
const odd = { url: 'https://registry.example/odd', valueBoolean: true }
const origin = (code: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/immunization-origin', code }],
})

describe('a vaccination record', () => {
  const cases: readonly [string, Partial<Immunization>, Partial<VaccinationRecord>][] = [
    [
      'prefers the CVX coding',
      {
        vaccineCode: {
          coding: [
            { system: 'x', code: '1', display: 'One' },
            { system: cvx, code: '03' },
          ],
          text: 'MMR',
        },
      },
      { vaccineCode: '03', vaccineName: 'MMR', vaccineSystem: cvx },
    ],
    [
      'knows CVX by its OID, and calls it by its own name',
      {
        vaccineCode: {
          coding: [
            { system: 'x', code: '1' },
            { system: 'urn:oid:2.16.840.1.113883.12.292', code: '03' },
          ],
        },
      },
      { vaccineCode: '03', vaccineSystem: cvx },
    ],
    [
      'calls ATC by its own name, too',
      { vaccineCode: { coding: [{ system: 'urn:oid:2.16.840.1.113883.6.73', code: 'J07BD52' }] } },
      { vaccineCode: 'J07BD52', vaccineSystem: 'http://www.whocc.no/atc' },
    ],
    [
      'keeps all of its codes, for the forecast knows others than the first',
      {
        vaccineCode: {
          coding: [{ system: 'x', code: 'MR' }, { system: 'http://www.whocc.no/atc', code: 'J07BD53' }, { code: '1' }],
        },
      },
      {
        vaccineCode: 'MR',
        alsoCoded: [
          { system: 'x', code: 'MR' },
          { system: 'http://www.whocc.no/atc', code: 'J07BD53' },
        ],
      },
    ],
    [
      'takes the first coding where none is CVX',
      { vaccineCode: { coding: [{ system: 'x', code: 'A', display: 'Alpha' }, { code: 'B' }] } },
      { vaccineCode: 'A', vaccineName: 'Alpha', vaccineSystem: 'x' },
    ],
    [
      'is named by its text where nothing is coded',
      { vaccineCode: { text: 'Tetanus' } },
      { vaccineCode: null, vaccineName: 'Tetanus' },
    ],
    ['is named by its code at last', { vaccineCode: { coding: [{ code: '99' }] } }, { vaccineName: '99' }],
    [
      'keeps the written day',
      { occurrenceDateTime: '2026-01-01T00:30:00+09:00' },
      { occurrenceDate: '2026-01-01', occurrencePrecision: 'day' },
    ],
    ['pads a month', { occurrenceDateTime: '1999-02' }, { occurrenceDate: '1999-02-01', occurrencePrecision: 'month' }],
    ['pads a year', { occurrenceDateTime: '1999' }, { occurrenceDate: '1999-01-01', occurrencePrecision: 'year' }],
    ['knows no day that is none', { occurrenceDateTime: '2024-02-30T08:00:00Z' }, { occurrenceDate: null }],
    ['knows no month that is none', { occurrenceDateTime: '2024-13' }, { occurrenceDate: null }],
    ['knows no year 0', { occurrenceDateTime: '0000-00-00' }, { occurrencePrecision: null }],
    [
      'takes the dose number of the entry that has one',
      {
        protocolApplied: [
          { series: 'none', doseNumberString: '' },
          { series: 'basic', doseNumberPositiveInt: 2 },
        ],
      },
      { doseNumber: '2', seriesName: 'basic' },
    ],
    ['takes a dose number in words', { protocolApplied: [{ doseNumberString: 'Booster' }] }, { doseNumber: 'Booster' }],
    [
      'prefers an organisation as the performer',
      {
        performer: [
          { actor: { reference: 'Practitioner/n1', display: 'A nurse' } },
          { actor: { reference: 'Organization/o1', display: 'A clinic' } },
        ],
      },
      { performerOrganisationRef: 'Organization/o1', performerDisplay: 'A clinic' },
    ],
    [
      'was given by who gave it, not by who ordered it',
      {
        performer: [
          performer('OP', { reference: 'Organization/o1', display: 'Who ordered it' }),
          performer('AP', { reference: 'Practitioner/n1', display: 'A nurse' }),
        ],
      },
      { performerOrganisationRef: 'Practitioner/n1', performerDisplay: 'A nurse' },
    ],
    [
      'was given by nobody known where only who ordered it is named',
      { performer: [performer('OP', { display: 'Who ordered it' })] },
      { performerOrganisationRef: null, performerDisplay: null },
    ],
    [
      'says nothing of who gave it and which dose it was where something changes that which nobody here understands',
      {
        performer: [{ actor: { display: 'Who refused it' }, modifierExtension: [odd] }],
        protocolApplied: [{ doseNumberPositiveInt: 2, modifierExtension: [odd] }, { doseNumberPositiveInt: 3 }],
      },
      { performerDisplay: null, doseNumber: '3', isQualified: false },
    ],
    ['may not have been given where something changes the whole', { modifierExtension: [odd] }, { isQualified: true }],
    ['is second-hand where it says so', { primarySource: false }, { patientReported: true }],
    [
      'is remembered where it says so',
      { primarySource: true, reportOrigin: { coding: [{ code: 'recall' }] } },
      { patientReported: true },
    ],
    [
      'is second-hand where a patient wrote it, whatever it says',
      { meta: { security: [patientsWord] }, primarySource: true },
      { patientReported: true },
    ],
    ['is the patient’s alone where nobody says who wrote it down', { primarySource: false }, { documentedBy: null }],
    [
      'is documented where somebody wrote it down',
      { primarySource: false, reportOrigin: origin('provider') },
      { patientReported: true, documentedBy: 'provider' },
    ],
    [
      'is no more than remembered where it is that as well',
      { primarySource: false, reportOrigin: { coding: [...origin('record').coding, ...origin('recall').coding] } },
      { documentedBy: null },
    ],
    [
      'is no more than a patient’s word where a patient wrote it, whatever it says',
      { meta: { security: [patientsWord] }, primarySource: false, reportOrigin: origin('provider') },
      { documentedBy: null },
    ],
    [
      'is documented by no code of another system',
      { primarySource: false, reportOrigin: { coding: [{ system: 'urn:local', code: 'provider' }] } },
      { documentedBy: null },
    ],
    [
      'is first-hand where its giver tells it, whatever else it says',
      { primarySource: true, reportOrigin: origin('school') },
      { patientReported: false, documentedBy: null },
    ],
    ['is first-hand otherwise', { reportOrigin: { coding: [{ code: 'provider' }] } }, { patientReported: false }],
    ['leaves blank texts out', { lotNumber: ' ', note: [{ text: '' }] }, { lotNumber: null, note: null }],
  ]
  it.each(cases)('%s', (_holds, given, expected) => {
    expect(vaccinationOf(immunization('i1', given))).toMatchObject(expected)
  })
})

describe('a recommendation', () => {
  const dates = (...pairs: [string, string][]) => ({ dateCriterion: pairs.map(([code, day]) => criterion(code, day)) })
  it.each([
    [
      'due',
      [
        ['30981-5', '2026-01-01'],
        ['30980-7', '2026-02-02'],
      ],
      '2026-02-02',
      null,
    ],
    [
      'earliest',
      [
        ['59778-1', '2026-03-03'],
        ['30981-5', '2026-01-01T10:00:00Z'],
      ],
      '2026-01-01',
      null,
    ],
    ['overdue', [['59778-1', '2026-03-03']], '2026-03-03', null],
    ['latest', [['59777-3', '2026-04-04']], null, '2026-04-04'],
    [
      'the codes of another system',
      [
        ['30100', '2026-05-05'],
        ['30101', '2026-06-06'],
      ],
      '2026-05-05',
      '2026-06-06',
    ],
  ] as const)('takes its days from %s', (_from, given, due, latest) => {
    const [found] = recommendationsOf(
      recommendation('r', dates(...given.map(([code, day]) => [code, day] as [string, string]))),
    )
    expect([found?.dateCriterionDue, found?.dateCriterionLatest]).toEqual([due, latest])
  })

  it('is one for each entry, by the disease where no vaccine is named', () => {
    const resource = recommendation('r')
    const [entry] = resource.recommendation
    const disease = { targetDisease: { text: 'Measles' }, forecastStatus: { text: 'Conditional' } }
    const found = recommendationsOf({ ...resource, recommendation: entry === undefined ? [] : [entry, disease] })
    expect(found.map(({ vaccineName, forecastStatus }) => [vaccineName, forecastStatus])).toEqual([
      ['MMR', 'due'],
      ['Measles', 'Conditional'],
    ])
  })

  it('names the doses that it stands on without addresses and versions', () => {
    const supportingImmunization = [
      { reference: 'https://fhir.example/Immunization/a/_history/2' },
      { reference: 'Immunization/b' },
      { reference: 'ImmunizationEvaluation/c' },
    ]
    expect(recommendationsOf(recommendation('r', { supportingImmunization }))[0]?.supportingImmunizationRefs).toEqual([
      'Immunization/a',
      'Immunization/b',
    ])
  })
})

describe('the groups', () => {
  it('are four by status, the empty ones hidden, and what has no status in none', () => {
    const of = (...statuses: (string | null)[]) =>
      groupsOf(
        statuses.flatMap((code) =>
          recommendationsOf(recommendation('r', { forecastStatus: code === null ? {} : { coding: [{ code }] } })),
        ),
      )
    const names = of('complete', 'due', 'immune', 'OVERDUE', null, 'due').map((group) => [
      group.name,
      group.recommendations.length,
    ])
    expect(names).toEqual([
      ['overdue', 1],
      ['due', 2],
      ['immune', 1],
      ['other', 1],
    ])
    expect(of(null)).toEqual([])
  })
})

describe('the filter of the history', () => {
  const history = (['2024-01-01', '2024-02-02', null] as const).map((day, at) => ({
    ...vaccinationOf(
      immunization(`i${at}`, { vaccineCode: { coding: [{ code: at === 1 ? 'mmr' : 'BCG', display: `V${at}` }] } }),
    ),
    occurrenceDate: day,
  }))
  it.each([
    [{}, [0, 1, 2], false],
    [{ vaccineCode: ' ', from: '', to: '' }, [0, 1, 2], false],
    [{ vaccineCode: 'bcg' }, [0, 2], true],
    [{ vaccineCode: 'BC' }, [], true],
    [{ from: '2024-01-01' }, [0, 1], true],
    [{ from: '2024-01-02' }, [1], true],
    [{ to: '2024-02-01' }, [0], true],
    [{ from: '2024-03-01', to: '2024-01-01' }, [], true],
    [{ from: '2024-13-41' }, [0, 1, 2], false],
    [{ to: 'tomorrow', vaccineCode: 'mmr' }, [1], true],
  ])('%j finds %j', (query, expected, isFiltered) => {
    const found = filterHistory(history, query)
    expect(found.vaccinations.map(({ fhirId }) => fhirId)).toEqual(expected.map((at) => `i${at}`))
    expect(found.isFiltered).toBe(isFiltered)
  })

  it('offers the codes of the whole history, each once and sorted, and names the days it could not read', () => {
    const found = filterHistory(history, { vaccineCode: 'mmr', from: '2024-02-30' })
    expect(found.codes.map(({ code }) => code)).toEqual(['BCG', 'mmr'])
    expect(found.ignored).toEqual(['from'])
  })
})

it('counts days over months and leap years', () => {
  expect([daysAfter('2026-12-15', 30), daysAfter('2028-02-28', 1)]).toEqual(['2027-01-14', '2028-02-29'])
})
