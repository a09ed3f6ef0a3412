import { describe, expect, it } from 'vitest'
import type { Immunization, Observation } from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { SmallStore } from './testing/small-store.ts'

const rxa = (status: string, reason = '') => `RXA|0|1|20260304||08^HepB^CVX|0.5|mL${'|'.repeat(11)}${reason}||${status}`

function storeAfter(...doses: readonly (readonly string[])[]) {
  const store = new SmallStore()
  for (const segments of doses) {
    const mapping = mapInPasses(
      [
        'MSH|^~\\&|EHR|CENTRAL|||20260304091500+0400||VXU^V04|1|P|2.5.1',
        'PID|1||4711^^^CENTRAL^MR',
        'ORC|RE||I-1^REG',
        ...segments,
      ].join('\r'),
    )
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    store.apply(mapping)
  }
  const [dose] = store.ofType<Immunization>('Immunization')
  return { dose, others: store.ofType<Observation>('Observation') }
}

describe('a dose', () => {
  const refused = rxa('RE', '00^Parental decision^NIP002')

  it('that was refused and then given was not refused', () => {
    expect(storeAfter([refused]).dose).toMatchObject({
      status: 'not-done',
      statusReason: { text: 'Parental decision' },
    })
    const { dose } = storeAfter([refused], [rxa('CP')])
    expect(dose?.status).toBe('completed')
    expect(dose).not.toHaveProperty('statusReason')
  })

  it('of which the second message does not say what became of it keeps why it was refused', () => {
    const { dose } = storeAfter([refused], [rxa('')])
    expect(dose).toMatchObject({ status: 'not-done', statusReason: { text: 'Parental decision' } })
  })

  it.each([
    ['is empty', ''],
    ['says what nobody knows', 'REFUSED'],
  ])('was not given where RXA-18 says why and RXA-20 %s', (_what, status) => {
    const reason = '00^Parental decision^NIP002'
    const expected = { status: 'not-done', statusReason: { text: 'Parental decision' } }
    expect(storeAfter([rxa(status, reason)]).dose).toMatchObject(expected)
    const { dose } = storeAfter([rxa('PA')], [rxa(status, reason)])
    expect(dose).toMatchObject(expected)
    expect(dose).not.toHaveProperty('isSubpotent')
    expect(storeAfter([rxa('CP', reason)]).dose).toMatchObject({ status: 'completed' })
    expect(storeAfter([`${rxa(status, reason)}|D`]).dose).toMatchObject({ status: 'entered-in-error' })
  })

  it('that was deleted and is told again was given', () => {
    const deleted = `${rxa('CP')}|D`
    expect(storeAfter([rxa('CP')], [deleted]).dose?.status).toBe('entered-in-error')
    expect(storeAfter([rxa('CP')], [deleted], [rxa('')]).dose?.status).toBe('completed')
  })

  it('of an amount that is no number tells it as it was sent, and not the one before', () => {
    const { dose } = storeAfter([rxa('CP')], [rxa('CP').replace('0.5', '0,25')])
    expect(dose?.doseQuantity).toMatchObject({ extension: [{ valueString: '0,25' }], unit: 'mL' })
    expect(dose?.doseQuantity).not.toHaveProperty('value')
  })

  it('that was given in part and then whole is potent', () => {
    expect(storeAfter([rxa('PA')]).dose).toMatchObject({ isSubpotent: true })
    expect(storeAfter([rxa('PA')], [rxa('CP')]).dose).not.toHaveProperty('isSubpotent')
  })
})

describe('RXA-9', () => {
  const noted = (notes: string, ...others: readonly string[]) =>
    storeAfter([`RXA|0|1|20260304||08^HepB^CVX|0.5|mL||${notes}|||||||||||CP`, ...others]).dose
  const note = [{ text: 'given by a student nurse' }]

  it.each([
    ['00^New record^NIP001', { primarySource: true }],
    ['^given by a student nurse~00^New record^NIP001', { primarySource: true, note }],
    ['00^New record^NIP001~^given by a student nurse', { primarySource: true, note }],
    ['X1^given by a student nurse^L~00^New record^NIP001', { primarySource: true, note }],
    ['01^Historical^NIP001', { primarySource: false, reportOrigin: 'Historical' }],
    ['^given by a student nurse~01^Historical^NIP001', { primarySource: false, reportOrigin: 'Historical', note }],
    ['^given by a student nurse', { note }],
  ])('%s says by its code from where the dose is known, and the rest are notes', (sent, expected) => {
    const { primarySource, reportOrigin, note: notes } = noted(sent) ?? {}
    expect({ primarySource, reportOrigin: reportOrigin?.text, note: notes }).toEqual({
      ...{ primarySource: undefined, reportOrigin: undefined, note: undefined },
      ...expected,
    })
  })

  it.each([
    ['02^Historical, other provider^NIP001', ['provider', '02']],
    ['03^Parent’s written record^NIP001', ['record', '03']],
    ['04^Parent’s recall^NIP001', ['recall', '04']],
    ['05^Other registry^nip001', ['jurisdiction', '05']],
    ['06^Birth certificate^NIP0001', ['record', '06']],
    ['07^School record^NIP001', ['school', '07']],
    ['08^Public agency', ['jurisdiction', '08']],
    ['01^Source unspecified^NIP001', ['01']],
    ['09^Not in the table^NIP001', ['09']],
    ['02^Told by phone^L', ['02']],
  ])('%s is known in the words of R4 where it has them', (sent, codes) => {
    const { primarySource, reportOrigin } = noted(sent) ?? {}
    expect([primarySource, reportOrigin?.coding?.map(({ code }) => code)]).toEqual([false, codes])
  })

  it('of who gave it takes back that it was only remembered', () => {
    const told = (source: string) => [`RXA|0|1|20260304||08^HepB^CVX|0.5|mL||${source}^^NIP001|||||||||||CP`]
    expect(storeAfter(told('04')).dose).toHaveProperty('reportOrigin')
    const { dose } = storeAfter(told('04'), told('00'))
    expect(dose).toMatchObject({ primarySource: true })
    expect(dose).not.toHaveProperty('reportOrigin')
  })

  it('is noted beside the words of NTE', () => {
    const dose = noted('^given by a student nurse', 'NTE|1||no reaction')
    expect(dose?.note?.map(({ text }) => text)).toEqual(['given by a student nurse', 'no reaction'])
  })
})

describe('the type of vaccine', () => {
  const type = 'OBX|1|CE|30956-7^Vaccine type^LN|1|45^Hep B^CVX||||||F'

  it('that a registry judges by its schedule is no leaflet', () => {
    const { dose, others } = storeAfter([rxa('CP'), type, 'OBX|2|CE|59779-9^Schedule^LN|1|VXC16^ACIP^CDCPHINVS||||||F'])
    expect(dose).not.toHaveProperty('education')
    expect(others.map(({ code }) => code.coding?.[0]?.code)).toEqual(['30956-7', '59779-9'])
  })

  it('with a date is a leaflet that was handed out', () => {
    const { dose, others } = storeAfter([
      ...[rxa('CP'), type, 'OBX|2|TS|29769-7^Presented^LN|1|20260304||||||F'],
      'OBX|3|CE|59779-9^Schedule^LN|2|VXC16^ACIP^CDCPHINVS||||||F',
    ])
    expect(dose?.education).toEqual([{ documentType: 'Hep B', presentationDate: '2026-03-04' }])
    expect(others).toHaveLength(1)
  })
})
