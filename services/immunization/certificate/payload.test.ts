import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { seededIds, seededRandom } from '../../../packages/clock/ids.ts'
import type { CertifiedDose } from './certified-dose.ts'
import { mrzName } from './mrz-name.ts'
import { certificatePayload, payloadText } from './payload.ts'
import { newUvci } from './uvci.ts'

const uvci = 'URN:UVCI:01:CORR:0123456789ABCDEF'
const patient = { name: 'Kumar, Priya', birthDate: '1990-06-15' }

const dose = (members: Partial<CertifiedDose>): CertifiedDose => ({
  vaccineCode: '207',
  vaccineName: 'COVID-19, mRNA',
  vaccineSystem: 'http://hl7.org/fhir/sid/cvx',
  occurrenceDate: '2021-04-01',
  lotNumber: 'EL1234',
  performerDisplay: 'City Clinic',
  doseNumber: '1',
  status: 'completed',
  patientReported: false,
  isSubpotent: false,
  occurrencePrecision: 'day',
  ...members,
})

it('is written exactly as specified: members, order, one entry per vaccine, compact', () => {
  const immunizations = [
    dose({ occurrenceDate: '2021-05-01', doseNumber: '2' }),
    dose({ vaccineCode: '03', vaccineName: 'MMR', occurrenceDate: '2021-04-20', lotNumber: null }),
    dose({}),
  ]
  expect(payloadText(certificatePayload({ patient, immunizations, uvci }))).toBe(
    '{"typ":"icao.vacc","msg":{"uvci":"URN:UVCI:01:CORR:0123456789ABCDEF","pid":{"dob":"1990-06-15",' +
      '"n":"KUMAR<<PRIYA"},"ve":[{"des":"207","nam":"COVID-19, mRNA","dis":"RA01","vd":[' +
      '{"dvc":"2021-05-01","seq":2,"lot":"EL1234","adm":"City Clinic"},' +
      '{"dvc":"2021-04-01","seq":1,"lot":"EL1234","adm":"City Clinic"}]},' +
      '{"des":"03","nam":"MMR","dis":"RA01","vd":[{"dvc":"2021-04-20","seq":1,"adm":"City Clinic"}]}]}}',
  )
})

describe('what is certified', () => {
  it.each([
    ['entered in error', { status: 'entered-in-error' }],
    ['not done', { status: 'not-done' }],
    ['without a date', { occurrenceDate: null }],
  ])('is never a dose %s', (_, members) => {
    expect(certificatePayload({ patient, immunizations: [dose(members)], uvci }).msg.ve).toEqual([])
  })

  it.each([
    ['a number', ['3', '2', '1'], [3, 2, 1]],
    ['missing', [null, null, null], [3, 2, 1]],
    ['a word', ['Booster', '2', '1'], [3, 2, 1]],
  ])('has a dose number that was %s', (_, numbers, seq) => {
    const days = ['2021-09-01', '2021-05-01', '2021-04-01']
    const immunizations = numbers.map((doseNumber, at) => dose({ doseNumber, occurrenceDate: days[at] ?? null }))
    const [vaccine] = certificatePayload({ patient, immunizations, uvci }).msg.ve
    expect(vaccine?.vd.map((given) => given.seq)).toEqual(seq)
  })

  it('has one dose number for two records of one day, and for those of one month a number each', () => {
    const told = [
      ['2021-09-01', 'day'],
      ['2021-05-01', 'month'],
      ['2021-05-01', 'month'],
      ['2021-04-01', 'day'],
      ['2021-04-01', 'day'],
    ] as const
    const immunizations = told.map(([occurrenceDate, occurrencePrecision]) =>
      dose({ occurrenceDate, occurrencePrecision, doseNumber: null }),
    )
    const [vaccine] = certificatePayload({ patient, immunizations, uvci }).msg.ve
    expect(vaccine?.vd.map(({ seq }) => seq)).toEqual([4, 3, 2, 1, 1])
  })

  it('looks at each of thousands of doses a few times, not once for every other', () => {
    let looks = 0
    const immunizations = Array.from({ length: 2_000 }, (_, at) =>
      Object.defineProperty(dose({ doseNumber: null }), 'occurrenceDate', {
        get: () => {
          looks++
          return new Date(Date.UTC(2025, 0, 1 - at)).toISOString().slice(0, 10)
        },
      }),
    )
    const [vaccine] = certificatePayload({ patient, immunizations, uvci }).msg.ve
    expect(vaccine?.vd.map(({ seq }) => seq)).toEqual(immunizations.map((_, at) => 2_000 - at))
    expect(looks).toBeLessThan(100 * immunizations.length)
  })

  it('groups a dose without a code by its name', () => {
    const immunizations = [dose({ vaccineCode: null, vaccineName: 'Measles' })]
    expect(certificatePayload({ patient, immunizations, uvci }).msg.ve).toMatchObject([
      { des: 'Measles', nam: 'Measles' },
    ])
  })

  it('leaves out a birth date and a name that are not known', () => {
    const { msg } = certificatePayload({ patient: { name: null, birthDate: null }, immunizations: [], uvci })
    expect(msg.pid).toEqual({})
  })
})

it.each([
  ['Priya Kumar', 'PRIYA<KUMAR'],
  ['Kumar, Priya', 'KUMAR<<PRIYA'],
  ['Müller Straße', 'M<LLER<STRASSE'],
  ["Jean-Luc O'Brien", 'JEAN<LUC<O<BRIEN'],
  ['أمينة', '<<<<<'],
  ['R2 🙂', 'R2<<'],
])('writes the name %s as %s', (name, mrz) => {
  expect(mrzName(name)).toBe(mrz)
})

it('gives every certificate an id of its own', () => {
  const clock = new SimulatedClock('2026-01-01T00:00:00Z')
  const deps = { clock, ids: seededIds(seededRandom(1), clock) }
  const ids = [newUvci('CORR', patient, deps), newUvci('CORR', patient, deps)]
  for (const id of ids) expect(id).toMatch(/^URN:UVCI:01:CORR:[0-9A-F]{16}$/)
  expect(new Set(ids).size).toBe(2)
})
