import type { Identifier, MedicationRequest, Reference } from '../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import { concept, mapCode, rowOf } from './code-map.ts'
import { compact } from './compact.ts'
import type { Draft } from './draft.ts'
import { cweOf } from './dt/cwe.ts'
import { ei } from './dt/ei.ts'
import { identifierKey } from './keys.ts'
import type { PutPatient } from './patient.ts'
import { checkOnePatient } from './refusals.ts'
import { notesIn } from './segments/nte.ts'
import { statusByBoth } from './status-of-order.ts'
import { prescriptionStatus } from './v/0038-prescription-status.ts'
import { prescriptionControl } from './v/0119-prescription-control.ts'
import { prescriptionRequest } from './v/0119-prescription-request.ts'

/** ORC-2 and ORC-3. */
export function prescriptionNumbers(orc: Segment | undefined, draft: Draft): Identifier[] {
  if (orc === undefined) return []
  const placer = ei('PLAC')(orc.part(2), at(draft, orc, 2))
  const filler = ei('FILL')(orc.part(3), at(draft, orc, 3))
  return [placer, filler].filter((number) => number !== undefined)
}

interface ToldOfPrescription {
  readonly status?: MedicationRequest['status'] | undefined
  /** Where nobody knows the prescription. */
  readonly statusOfNew: MedicationRequest['status']
}

/**
 * By ORC-5 and ORC-1. Where ORC-5 is no code of its table nobody knows what became of the prescription: ORC-1 may end it, but makes
 * none active that is known.
 */
export function statusOfPrescription(orc: Segment | undefined, draft: Draft): ToldOfPrescription {
  const told: MedicationRequest['status'] | undefined =
    orc && mapCode(prescriptionStatus, orc.text(5), at(draft, orc, 5))
  const control = orc?.text(1) ?? ''
  const byControl = rowOf(prescriptionControl, control)
  const isOnlyOfNew = byControl === 'active' && told === undefined && orc?.text(5) !== undefined
  return {
    status: statusByBoth(told, isOnlyOfNew ? undefined : byControl),
    statusOfNew: (isOnlyOfNew ? byControl : rowOf(prescriptionRequest, control)) ?? 'unknown',
  }
}

/** ORC-16 */
export const reasonOfPrescription = (orc: Segment, draft: Draft): MedicationRequest['statusReason'] =>
  cweOf('0949')(orc.part(16), at(draft, orc, 16))

/**
 * An order by its number alone (`ORC|CA|RX-1`): what becomes of a prescription that is known. Without a drug there is
 * nothing to create. Undefined where no number says which it is, and for a new one, which must name its drug.
 * @param patient whose it must be: it moves to nobody, and the number may be that of another's prescription
 * @param options `isPrescription`: the number is of nothing else; one that is called off before it came stays so when it comes
 */
export function amendPrescription(
  group: SegmentList,
  patient: PutPatient,
  draft: Draft,
  { isPrescription = false } = {},
): Reference | undefined {
  const orc = group.segment('ORC')
  const numbers = prescriptionNumbers(orc, draft)
  const [first, ...others] = numbers
  if (orc === undefined || first === undefined || isNew(orc)) return undefined
  const key = identifierKey(first)
  checkOnePatient('MedicationRequest', key, patient.reference, at(draft, orc, 2))
  const { status } = statusOfPrescription(orc, draft)
  const isCalledOff = isPrescription && calledOff.has(status)
  const resource = compact<Partial<MedicationRequest>>({
    resourceType: 'MedicationRequest',
    identifier: numbers,
    status,
    statusReason: reasonOfPrescription(orc, draft),
    note: notesIn(group.all, draft),
  })
  // Sound: it is merged into a prescription that has the rest, and creates none.
  return draft.put(resource as MedicationRequest, {
    key,
    otherKeys: others.map(identifierKey),
    mode: 'amend',
    leavesTrace: isCalledOff,
    defaults: {
      subject: patient.reference,
      ...(isCalledOff ? { intent: 'order', medicationCodeableConcept: unknownDrug } : {}),
    },
    saidBy: orc,
  })
}

const calledOff: ReadonlySet<MedicationRequest['status'] | undefined> = new Set([
  ...(['cancelled', 'stopped', 'entered-in-error'] as const),
])

/** R4 demands a drug. */
export const unknownDrug = concept('http://terminology.hl7.org/CodeSystem/data-absent-reason', 'unknown', 'Unknown')

const isNew = (orc: Segment): boolean => /^(NW|RO)$/i.test(orc.text(1)?.trim() ?? '')
