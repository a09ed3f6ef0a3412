import type { Draft } from '../../draft.ts'
import { putBed } from '../../segments/npu.ts'
import { patientGroups } from '../../patient-groups.ts'
import { mapVisit } from './visit.ts'

/** A20: a bed is free, taken, being cleaned. No patient. */
export function mapBedStatus(draft: Draft): void {
  const npu = draft.message.segment('NPU')
  if (npu === undefined) {
    draft.refuse({
      code: '100',
      severity: 'E',
      text: 'The message has no NPU segment, and this event needs one.',
      location: { segment: 'NPU', sequence: 1 },
    })
  }
  const bed = putBed(npu, draft)
  if (bed === undefined) {
    draft.refuse({
      code: '101',
      severity: 'E',
      text: 'NPU-1 has no room or bed, or NPU-2 no status.',
      location: { segment: 'NPU', sequence: 1, field: npu.text(2) === undefined ? 2 : 1 },
    })
  }
  draft.main = bed.reference
}

/** A17: two patients with their visits, each now in the other's bed. PV1-6 is where each one was. */
export function mapBedSwap(draft: Draft): void {
  for (const group of patientGroups(draft, 2)) {
    const visit = { status: 'in-progress', assigned: 'active' } as const
    mapVisit(group, { meaning: 'Swap patients', about: 'visit', patient: 'ensure', visit }, draft)
  }
}
