import { describe, expect, it } from 'vitest'
import type {
  Condition,
  DiagnosticReport,
  MedicationRequest,
  Observation,
  Procedure,
} from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

function storeAfter(type: string, ...segments: readonly string[]): SmallStore {
  const header = `MSH|^~\\&|HIS|CENTRAL|||20260304091500+0400||${type}|1|P|2.5.1`
  const mapping = mapInPasses([header, 'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina', ...segments].join('\r'))
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  const store = new SmallStore()
  store.apply(mapping)
  return store
}

describe('an ampersand that its sender did not escape', () => {
  it('is a part of the name of a diagnosis, a procedure and a result', () => {
    const store = storeAfter(
      'ADT^A01',
      'PV1|1|I',
      segment('DG1', { 1: '1', 3: 'S82^Fracture & dislocation^L' }),
      segment('DG1', { 1: '2', 3: 'S83^^L', 4: 'Sprain & strain' }),
      segment('DG1', { 1: '3', 3: 'Fever & cough & rash' }),
      segment('PR1', { 1: '1', 3: '1^^L', 4: 'Incision & drainage', 5: '20260304' }),
      'OBX|1|CE|APP^Look & feel^L||Y&G^Yellow & green^L||||||F',
    )
    const named = store.ofType<Condition>('Condition').map(({ code }) => code?.text)
    expect(named).toEqual(['Fracture & dislocation', 'Sprain & strain', 'Fever & cough & rash'])
    expect(store.ofType<Procedure>('Procedure')[0]?.code?.text).toBe('Incision & drainage')
    const [result] = store.ofType<Observation>('Observation')
    expect(result?.code.text).toBe('Look & feel')
    expect(result?.valueCodeableConcept).toMatchObject({
      coding: [{ code: 'Y&G', display: 'Yellow & green' }],
      text: 'Yellow & green',
    })
  })

  it('tells two services of one number apart', () => {
    const report = (service: string) => segment('OBR', { 1: '1', 3: '77^LAB', 4: service, 25: 'F' })
    const store = storeAfter('ORU^R01', report('C&S^Culture^L'), report('C&X^Counts^L'))
    const once = store.ofType<DiagnosticReport>('DiagnosticReport').map(({ code }) => code.coding?.[0]?.code)
    expect(once).toEqual(['C&S', 'C&X'])
    const again = storeAfter('ORU^R01', report('C&X^Counts^L'))
    const [first] = again.ofType<DiagnosticReport>('DiagnosticReport')
    expect(first?.identifier?.[0]).toEqual(store.ofType<DiagnosticReport>('DiagnosticReport')[1]?.identifier?.[0])
  })

  it('is a part of what a patient is told', () => {
    const rxe = segment('RXE', { 2: '723^Amoxicillin & clavulanate^RXNORM', 3: '1', 7: '^mornings & evenings' })
    const [order] = storeAfter('RDE^O11', 'ORC|NW|RX-1^HIS', rxe).ofType<MedicationRequest>('MedicationRequest')
    expect(order?.medicationCodeableConcept?.text).toBe('Amoxicillin & clavulanate')
    expect(order?.dosageInstruction?.[0]?.patientInstruction).toBe('mornings & evenings')
  })
})
