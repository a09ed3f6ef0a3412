import { describe, expect, it } from 'vitest'
import type { Encounter, Patient } from '../../../packages/fhir/r4.ts'
import { caseMessages } from './testing/case-files.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { SmallStore } from './testing/small-store.ts'

let controlId = 0
function send(store: SmallStore, trigger: string, ...segments: readonly string[]): void {
  const header = `MSH|^~\\&|PAS|CENTRAL|||20260304101500||ADT^${trigger}|${++controlId}|P|2.5.1`
  const mapping = mapInPasses([header, `EVN|${trigger}|20260304101500`, ...segments].join('\r'))
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  store.apply(mapping)
}

const patient = 'PID|1||1^^^CENTRAL^MR||Diallo^Amina||1987|F'
const visit = (place: string, prior = '') => `PV1|1|I|${place}|||${prior}${'|'.repeat(19 - 6)}V1^^^CENTRAL`
const withDischarge = (place: string, end: string) => `${visit(place)}${'|'.repeat(45 - 19)}${end}`

function onlyVisit(store: SmallStore): Encounter {
  const [found] = store.ofType<Encounter>('Encounter')
  if (found === undefined) throw new Error('the store has no visit')
  return found
}

/** Each place and its state. */
const places = ({ location = [] }: Encounter) => location.map((one) => `${one.location.display} ${one.status}`)

describe('a visit', () => {
  it('is planned, begins, moves, ends and is reopened as its messages say', () => {
    const store = new SmallStore()
    const encounter = () => onlyVisit(store)

    send(store, 'A05', patient, visit('3W'))
    expect(encounter().status).toBe('planned')
    send(store, 'A01', patient, visit('3W'))
    expect(encounter().status).toBe('in-progress')
    expect(places(encounter())).toEqual(['3W active'])
    send(store, 'A02', patient, visit('ICU', '3W'))
    expect(places(encounter())).toEqual(['ICU active', '3W completed'])
    send(store, 'A12', patient, visit('3W'))
    expect(places(encounter())).toEqual(['3W active'])
    send(store, 'A21', patient, visit('3W'))
    expect(encounter().status).toBe('onleave')
    send(store, 'A08', patient, visit('3W'))
    expect(encounter().status).toBe('onleave')
    send(store, 'A22', patient, visit('3W'))
    send(store, 'A03', patient, withDischarge('3W', '20260306'))
    expect(encounter()).toMatchObject({ status: 'finished', period: { end: '2026-03-06' } })
    send(store, 'A13', patient, visit('3W'))
    expect(encounter().status).toBe('in-progress')
    expect(encounter().period?.end).toBeUndefined()
    send(store, 'A11', patient, visit('3W'))
    expect(encounter().status).toBe('cancelled')
    expect(store.ofType('Encounter')).toHaveLength(1)
    expect(store.ofType('Patient')).toHaveLength(1)
  })
})

describe('a patient', () => {
  it('keeps what later messages do not say, and loses what they delete', () => {
    const store = new SmallStore()
    send(store, 'A28', `${patient}|||||^PRN^PH^^^^55`)
    send(store, 'A31', 'PID|1||1^^^CENTRAL^MR||Keita^Amina')
    expect(store.ofType<Patient>('Patient')).toMatchObject([
      { name: [{ family: 'Keita' }], gender: 'female', birthDate: '1987', telecom: [{ use: 'home' }] },
    ])
    send(store, 'A31', 'PID|1||1^^^CENTRAL^MR||Keita^Amina||""')
    expect(store.ofType<Patient>('Patient')[0]?.birthDate).toBeUndefined()
  })

  it('is not changed by messages that only mention it', () => {
    const store = new SmallStore()
    send(store, 'A28', patient)
    send(store, 'A03', 'PID|1||1^^^CENTRAL^MR||WRONG^NAME||1900|M', visit('3W'))
    expect(store.ofType<Patient>('Patient')).toMatchObject([{ name: [{ family: 'Diallo' }], birthDate: '1987' }])
  })

  it('is merged, linked and unlinked', () => {
    const store = new SmallStore()
    send(store, 'A28', 'PID|1||2^^^CENTRAL^MR||Diallo^Ami')
    send(store, 'A24', patient, 'PID|2||2^^^CENTRAL^MR')
    expect(store.ofType<Patient>('Patient').map(({ link }) => link?.[0]?.type)).toEqual(['seealso', 'seealso'])
    send(store, 'A37', patient, 'PID|2||2^^^CENTRAL^MR')
    expect(store.ofType<Patient>('Patient').map(({ link }) => link)).toEqual([undefined, undefined])
    send(store, 'A40', patient, 'MRG|2^^^CENTRAL^MR')
    const [old, survivor] = store.ofType<Patient>('Patient')
    expect(old).toMatchObject({ active: false, link: [{ type: 'replaced-by' }] })
    expect(survivor).toMatchObject({ active: true, link: [{ type: 'replaces' }] })
    send(store, 'A08', 'PID|1||2^^^CENTRAL^MR||Diallo^Ami')
    expect(store.ofType<Patient>('Patient')[0]?.active).toBe(false)
  })
})

it.each(caseMessages())('a message that is applied twice leaves what it left once', (text) => {
  const store = new SmallStore()
  const mapping = mapInPasses(text)
  const apply = () => (mapping.refused === undefined ? store.apply(mapping) : undefined)
  apply()
  const once = structuredClone(Object.fromEntries(store.resources))
  apply()
  expect(Object.fromEntries(store.resources)).toEqual(once)
})
