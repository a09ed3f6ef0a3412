import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { Immunization, ImmunizationRecommendation, Patient } from '../../../packages/fhir/r4.ts'
import { createValidate } from '../../../packages/fhir/validate/validator.ts'
import { shippedTerminology } from '../terminology/shipped.ts'
import { validateCode } from '../terminology/validate-code.ts'
import { demoResources } from './demo-resources.ts'

const now = new Date('2026-03-04T05:06:07Z')
const resources = demoResources(now)
const ofType = <Kind>(type: string) =>
  resources.filter(({ resourceType }) => resourceType === type) as unknown as (Kind & { id: string })[]

/** Every value under a key, however deep. */
function* valuesOf(value: unknown, key: string): Generator {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === key) yield inner
    yield* valuesOf(inner, key)
  }
}

describe('the resources of the demo', () => {
  it('are valid R4', async () => {
    const validate = createValidate(await loadDefinitions())
    const wrong = resources.flatMap((resource) =>
      validate(resource).map(({ path, message }) => `${resource.resourceType}/${resource.id} ${path}: ${message}`),
    )
    expect(wrong).toEqual([])
  })

  it('have ids of their own and refer only to each other', () => {
    const names = resources.map(({ resourceType, id }) => `${resourceType}/${id}`)
    expect(new Set(names).size).toBe(names.length)
    const known = new Set(names)
    expect([...valuesOf(resources, 'reference')].filter((target) => !known.has(String(target)))).toEqual([])
  })

  it('are the same for the same day, and every id for every day', () => {
    expect(demoResources(new Date('2026-03-04T23:00:00Z'))).toEqual(resources)
    const later = new Set(demoResources(new Date('2026-09-04T00:00:00Z')).map(({ id }) => id))
    expect(resources.filter(({ id }) => !later.has(id) && !id.includes('forecast'))).toEqual([])
  })

  it('use codes that exist', async () => {
    const terminology = await shippedTerminology()
    const verdicts = await Promise.all(
      [...valuesOf(resources, 'coding')].flat().map(async (coding) => {
        const { system, code } = coding as { system: string; code: string }
        return { system, code, ...(await validateCode({ system, code }, terminology)) }
      }),
    )
    expect(verdicts.filter(({ verdict }) => verdict === 'invalid')).toEqual([])
    const unknown = new Set(verdicts.filter(({ verdict }) => verdict === 'unknown').map(({ system }) => system))
    // These may not be shipped, or are not loaded.
    expect([...unknown].sort()).toEqual([
      'http://hl7.org/fhir/sid/icd-10',
      'http://snomed.info/sct',
      'http://www.whocc.no/atc',
    ])
  })

  it('are of some twenty patients, in several scripts', () => {
    const patients = ofType<Patient>('Patient')
    expect(patients).toHaveLength(20)
    const text = JSON.stringify(patients.map(({ name }) => name))
    for (const script of ['Arabic', 'Hebrew', 'Han', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Greek', 'Latin']) {
      expect(text).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'))
    }
    for (const type of [
      ...['Organization', 'Location', 'Practitioner', 'PractitionerRole', 'Encounter', 'Condition', 'Observation'],
      ...['DiagnosticReport', 'MedicationRequest', 'AllergyIntolerance', 'Immunization', 'ImmunizationRecommendation'],
    ]) {
      expect(ofType(type).length).toBeGreaterThan(0)
    }
  })
})

describe('Amina Diallo', () => {
  const doses = ofType<Immunization>('Immunization').filter(
    ({ patient }) => patient.reference === 'Patient/amina-diallo',
  )
  const forecasts = ofType<ImmunizationRecommendation>('ImmunizationRecommendation')
    .filter(({ patient }) => patient.reference === 'Patient/amina-diallo')
    .map(({ recommendation: [first] }) => first)

  it('has something overdue, due, immune and self-reported', () => {
    const statuses = forecasts.map((one) => one?.forecastStatus.coding?.[0]?.code)
    expect(statuses).toEqual(expect.arrayContaining(['overdue', 'due', 'immune', 'complete', 'contraindicated']))
    expect(doses.filter(({ primarySource }) => primarySource === false)).toHaveLength(2)
    expect(doses.filter(({ status }) => status === 'not-done')).toHaveLength(1)
  })

  it('has a forecast that holds on the day', () => {
    const dated = forecasts.flatMap((one) => {
      const due = one?.dateCriterion?.[0]?.value
      return due === undefined ? [] : [{ due, status: one?.forecastStatus.coding?.[0]?.code }]
    })
    expect(new Set(dated.map(({ status }) => status))).toEqual(new Set(['overdue', 'due']))
    for (const { due, status } of dated) expect(status).toBe(due < '2026-03-04' ? 'overdue' : 'due')
  })

  it('was given each vaccine as it is given, and is called for the next one when that is due', () => {
    const routeOf = (name: string) =>
      doses.find(({ vaccineCode }) => vaccineCode.coding?.[0]?.display === name)?.route?.coding?.[0]?.code
    expect(['BCG', 'Yellow fever', 'Td (adult)'].map(routeOf)).toEqual(['IDINJ', 'SQ', 'IM'])
    const forecast = (name: string) => forecasts.find((one) => one?.vaccineCode?.[0]?.coding?.[0]?.display === name)
    const last = doses.find(({ vaccineCode }) => vaccineCode.coding?.[0]?.display === 'Td (adult)')?.occurrenceDateTime
    expect(forecast('Td (adult)')?.dateCriterion?.[0]?.value).toBe(last?.replace('2015', '2025'))
    expect(forecast('Influenza')).not.toHaveProperty('seriesDosesPositiveInt')
  })

  it('has a certificate that fits into one QR code of level Q', () => {
    const groups = Map.groupBy(
      doses.filter(({ status }) => status === 'completed'),
      ({ vaccineCode }) => vaccineCode.coding?.[0]?.code,
    )
    const ve = [...groups].map(([des, given]) => ({
      ...{ des, nam: given[0]?.vaccineCode.coding?.[0]?.display, dis: 'RA01' },
      vd: given.map(({ occurrenceDateTime, lotNumber, performer }, at) => ({
        ...{ dvc: occurrenceDateTime, seq: at + 1, lot: lotNumber, adm: performer?.[0]?.actor.display },
      })),
    }))
    const pid = { dob: '1998-04-12', n: 'AMINA<DIALLO' }
    const payload = { typ: 'icao.vacc', msg: { uvci: 'URN:UVCI:01:CORRIDOR:0123456789ABCDEF', pid, ve } }
    expect(JSON.stringify(payload).length).toBeLessThan(1_600)
    expect(doses.length).toBeGreaterThanOrEqual(12)
  })
})
