import { describe, expect, it } from 'vitest'
import type {
  Account,
  Condition,
  DocumentReference,
  Encounter,
  FhirResource,
  Identifier,
  Patient,
  Procedure,
} from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

/** A sender that names no authority of any number. */
class BareSender {
  readonly store = new SmallStore()
  #controlId = 0

  send(type: string, ...segments: readonly string[]): this {
    const header = `MSH|^~\\&|PAS|CENTRAL|||20260304101500||${type}|${++this.#controlId}|P|2.5.1`
    const mapping = mapInPasses([header, 'EVN||20260304101500', ...segments].join('\r'))
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    this.store.apply(mapping)
    return this
  }

  ofType<T extends FhirResource>(type: T['resourceType']): T[] {
    return this.store.ofType<T>(type)
  }
}

const pid = (number: string, account = '') => segment('PID', { 3: number, 5: 'Diallo^Amina', 18: account })
const pv1 = (visit: string, alternate = '') => segment('PV1', { 2: 'I', 19: visit, 50: alternate })

/** What an identifier is found by. */
const shown = (one: Identifier | undefined) => `${one?.system}|${one?.value}`

describe('a bare number of MRG', () => {
  it.each([
    ['MRG-1', 'PID|||2||Diallo^Ami', 'MRG|2'],
    ['MRG-4', 'PID||2|||Diallo^Ami', 'MRG||||2'],
    ['MRG-2', 'PID||||2|Diallo^Ami', 'MRG||2'],
  ])('finds the patient who goes: %s', (_field, known, mrg) => {
    const sender = new BareSender().send('ADT^A28', pid('1')).send('ADT^A28', known).send('ADT^A40', pid('1'), mrg)
    const [stays, goes, ...others] = sender.ofType<Patient>('Patient')
    expect(others).toEqual([])
    expect(stays).toMatchObject({ active: true, link: [{ type: 'replaces' }] })
    expect(goes).toMatchObject({ active: false, link: [{ type: 'replaced-by' }] })
    expect(goes?.identifier).toMatchObject([{ use: 'old', value: '2' }])
  })

  it('finds the patient whose number changes, and the one who loses a number', () => {
    const sender = new BareSender().send('ADT^A28', pid('1')).send('ADT^A47', pid('3'), 'MRG|1')
    expect(
      sender.ofType<Patient>('Patient').map(({ identifier = [] }) => identifier.map(({ value }) => value)),
    ).toEqual([['1', '3']])
    sender.send('ADT^A28', pid('7')).send('ADT^A43', pid('7'), 'MRG|3')
    expect(
      sender.ofType<Patient>('Patient').map(({ identifier = [] }) => identifier.map(({ value }) => value)),
    ).toEqual([['1'], ['7', '3']])
  })

  it('finds the account and the visits', () => {
    const account = new BareSender().send('ADT^A01', pid('1', 'A1'), pv1('V1'))
    account.send('ADT^A41', pid('1', 'A2'), 'MRG|1||A1')
    expect(account.ofType<Account>('Account').map(({ status }) => status)).toEqual(['inactive', 'active'])

    const visits = new BareSender().send('ADT^A01', pid('1'), pv1('V1')).send('ADT^A01', pid('1'), pv1('V2'))
    visits.send('ADT^A42', pid('1'), 'MRG|1||||V1', pv1('V2'))
    expect(visits.ofType<Encounter>('Encounter').map(({ status }) => status)).toEqual([
      'entered-in-error',
      'in-progress',
    ])

    const renamed = new BareSender().send('ADT^A01', pid('1'), pv1('', 'ALT1'))
    renamed.send('ADT^A51', pid('1'), 'MRG|1|||||ALT1', pv1('', 'ALT2'))
    expect(renamed.ofType<Encounter>('Encounter').map(({ identifier = [] }) => identifier.length)).toEqual([2])
  })
})

describe('a bare number of a parent leads to it', () => {
  it('is that of the document which is replaced (TXA-13)', () => {
    const document = (number: string, parent = '') =>
      segment('TXA', { 1: '1', 2: 'DS^Summary', 6: '20260304100000', 12: number, 13: parent, 17: 'AU' })
    const sender = new BareSender()
      .send('MDM^T01', pid('1'), document('D1'))
      .send('MDM^T09', pid('1'), document('D2', 'D1'))
    const [first, second] = sender.ofType<DocumentReference>('DocumentReference')
    expect(first?.status).toBe('superseded')
    expect(second?.relatesTo?.[0]?.target.identifier).toEqual(first?.masterIdentifier)
  })

  it('is that of the diagnosis which is the cause (DG1-22)', () => {
    const sender = new BareSender().send(
      'ADT^A01',
      ...[pid('1'), pv1('V1')],
      segment('DG1', { 1: '1', 3: 'I21.0^^I10', 20: '71' }),
      segment('DG1', { 1: '2', 3: 'R07.4^^I10', 20: '72', 22: '71' }),
    )
    const [cause, effect] = sender.ofType<Condition>('Condition')
    const number = effect?.extension?.[0]?.valueReference?.identifier
    expect(cause?.identifier?.map(shown)).toContain(shown(number))
  })

  it('is that of the procedure which it is a part of (PR1-25)', () => {
    const sender = new BareSender().send(
      'ADT^A01',
      ...[pid('1'), pv1('V1')],
      segment('PR1', { 1: '1', 3: '1^Bypass^L', 5: '20260304', 19: '81' }),
      segment('PR1', { 1: '2', 3: '2^Harvest^L', 5: '20260304', 19: '82', 25: '81' }),
    )
    const [whole, part] = sender.ofType<Procedure>('Procedure')
    expect(whole?.identifier?.map(shown)).toContain(shown(part?.partOf?.[0]?.identifier))
  })
})
