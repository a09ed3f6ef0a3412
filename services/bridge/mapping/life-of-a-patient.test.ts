import { expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

function patientAfter(...visits: readonly string[]): Patient | undefined {
  const store = new SmallStore()
  for (const pv1 of visits) {
    const header = 'MSH|^~\\&|PAS|CENTRAL|||20260304091500+0400||ADT^A08|1|P|2.5.1'
    const mapping = mapInPasses([header, 'EVN||20260304091500+0400', 'PID|1||4711^^^CENTRAL^MR', pv1].join('\r'))
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    store.apply(mapping)
  }
  return store.ofType<Patient>('Patient')[0]
}

const visit = (importance: string) => segment('PV1', { 2: 'I', 16: importance, 19: 'V1' })
const importanceOf = (patient: Patient | undefined) =>
  patient?.extension?.find(({ url }) => url.endsWith('/patient-importance'))?.valueCodeableConcept?.coding?.[0]?.code

it.each([
  ['is said to be another', 'STAFF', 'STAFF'],
  ['is not spoken of', '', 'VIP'],
  ['is taken away', '""', undefined],
])('the importance of a patient that %s (PV1-16 "%s") is %s', (_what, said, expected) => {
  expect(importanceOf(patientAfter(visit('VIP'), visit(said)))).toBe(expected)
})
