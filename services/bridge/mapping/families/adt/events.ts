import { endOfVisit, goalOfVisit } from '../../ended-visit.ts'
import { plannedEnd } from '../../segments/pv2.ts'
import type { VisitEvent } from '../../visit-event.ts'

/** What an ADT event is about and what it does. */
export type AdtEvent = { readonly meaning: string } & (
  | { readonly about: 'visit'; readonly patient: 'upsert' | 'ensure'; readonly visit: VisitEvent }
  | { readonly about: 'person'; readonly active?: boolean }
  | { readonly about: Subject }
)

export type Subject =
  | 'person-deleted'
  | 'bed-status'
  | 'bed-swap'
  | 'patient-link'
  | 'patient-unlink'
  | 'patient-merge'
  | 'account-merge'
  | 'visit-merge'
  | 'identifier-move'
  | 'account-move'
  | 'visit-move'
  | 'identifier-change'
  | 'account-change'
  | 'visit-change'

const visit = (meaning: string, patient: 'upsert' | 'ensure', event: VisitEvent): AdtEvent => ({
  meaning,
  about: 'visit',
  patient,
  visit: { assigned: 'active', ...event },
})
const about = (subject: Subject, meaning: string): AdtEvent => ({ meaning, about: subject })

/** Whether an event says how a visit stands; of one that is not known, it is taken to. */
export function saysStatus(trigger = ''): boolean {
  const event = Object.hasOwn(adtEvents, trigger) ? adtEvents[trigger] : undefined
  if (event?.about === 'visit') return event.visit.status !== 'stored'
  return event === undefined || event.about === 'bed-swap' || event.about === 'visit-merge'
}

/** Whether an event tells of its patient: one of a visit may only mention them, and say no more than that they have died. */
export function saysPatient(trigger = ''): boolean {
  const event = Object.hasOwn(adtEvents, trigger) ? adtEvents[trigger] : undefined
  return event?.about !== 'visit' || event.patient !== 'ensure'
}

const underWay = { status: 'in-progress' } as const
const active = { element: 'location', where: { status: 'active' } } as const
const planned = { element: 'location', where: { status: 'planned' } } as const
const reserved = { element: 'location', where: { status: 'reserved' } } as const

/**
 * HL7 table 0003 for ADT: A01 to A52 and their like. `upsert` events carry demographics that count; `ensure` events
 * only mention the patient, and create who is unknown. A19 is a query and belongs to another channel.
 */
export const adtEvents: Readonly<Record<string, AdtEvent>> = {
  A01: visit('Admit', 'upsert', { ...underWay, endFinishes: true }),
  A02: visit('Transfer', 'ensure', underWay),
  A03: visit('Discharge', 'ensure', { status: 'finished', assigned: 'completed' }),
  // The guide says planned here and, by the class, in progress: whoever is registered has come.
  A04: visit('Register', 'upsert', { ...underWay, endFinishes: true }),
  A05: visit('Pre-admit', 'upsert', { status: 'planned', assigned: 'planned' }),
  A06: visit('Outpatient to inpatient', 'upsert', { ...underWay, class: 'IMP', isRenumbered: true }),
  A07: visit('Inpatient to outpatient', 'upsert', { ...underWay, class: 'AMB', isRenumbered: true }),
  // The guide says unknown here, which would end every visit whose address is corrected.
  A08: visit('Update patient information', 'upsert', { status: 'stored', endFinishes: true }),
  A09: visit('Patient departing', 'ensure', { ...underWay, assigned: 'planned' }),
  A10: visit('Patient arriving', 'ensure', underWay),
  A11: visit('Cancel admit', 'ensure', { status: 'cancelled', assigned: 'completed', withoutPrior: true }),
  A12: visit('Cancel transfer', 'ensure', { ...underWay, removes: [active], withoutPrior: true }),
  A13: visit('Cancel discharge', 'ensure', { ...underWay, deletes: endOfVisit, withoutEnd: true }),
  A14: visit('Pending admit', 'ensure', { status: 'planned', assigned: 'planned' }),
  A15: visit('Pending transfer', 'ensure', underWay),
  A16: visit('Pending discharge', 'ensure', { ...underWay, withoutEnd: true }),
  A17: about('bed-swap', 'Swap patients'),
  A18: about('patient-merge', 'Merge patient information'),
  A20: about('bed-status', 'Bed status update'),
  A21: visit('Leave of absence', 'ensure', { status: 'onleave' }),
  A22: visit('Return from leave', 'ensure', underWay),
  A23: visit('Delete a patient record', 'ensure', {
    ...{ status: 'entered-in-error', mode: 'amend', leavesTrace: true },
  }),
  A24: about('patient-link', 'Link patient information'),
  A25: visit('Cancel pending discharge', 'ensure', {
    ...underWay,
    deletes: [`extension(${plannedEnd})`, ...goalOfVisit],
    withoutEnd: true,
  }),
  A26: visit('Cancel pending transfer', 'ensure', { ...underWay, removes: [reserved], withoutPending: true }),
  A27: visit('Cancel pending admit', 'ensure', { status: 'cancelled', assigned: 'planned', withoutPrior: true }),
  A28: { meaning: 'Add person information', about: 'person', active: true },
  A29: about('person-deleted', 'Delete person information'),
  A30: about('patient-merge', 'Merge person information'),
  A31: { meaning: 'Update person information', about: 'person' },
  A32: visit('Cancel patient arriving', 'ensure', { ...underWay, removes: [active], withoutPrior: true }),
  A33: visit('Cancel patient departing', 'ensure', { ...underWay, removes: [active, planned], withoutPrior: true }),
  A34: about('patient-merge', 'Merge patient information, patient id only'),
  A35: about('account-merge', 'Merge patient information, account number only'),
  A36: about('patient-merge', 'Merge patient information, patient id and account number'),
  A37: about('patient-unlink', 'Unlink patient information'),
  A38: visit('Cancel pre-admit', 'ensure', { status: 'cancelled', assigned: 'planned', withoutPrior: true }),
  A39: about('patient-merge', 'Merge person, patient id'),
  A40: about('patient-merge', 'Merge patient, patient identifier list'),
  A41: about('account-merge', 'Merge account, patient account number'),
  A42: about('visit-merge', 'Merge visit, visit number'),
  A43: about('identifier-move', 'Move patient information, patient identifier list'),
  A44: about('account-move', 'Move account information, patient account number'),
  A45: about('visit-move', 'Move visit information, visit number'),
  A46: about('identifier-change', 'Change patient id'),
  A47: about('identifier-change', 'Change patient identifier list'),
  A48: about('identifier-change', 'Change alternate patient id'),
  A49: about('account-change', 'Change patient account number'),
  A50: about('visit-change', 'Change visit number'),
  A51: about('visit-change', 'Change alternate visit id'),
  A52: visit('Cancel leave of absence', 'ensure', underWay),
  A53: visit('Cancel return from leave', 'ensure', { status: 'onleave' }),
  A54: visit('Change attending doctor', 'ensure', { status: 'stored' }),
  A55: visit('Cancel change of attending doctor', 'ensure', { status: 'stored' }),
  A60: visit('Update adverse reaction information', 'ensure', { status: 'stored' }),
  A61: visit('Change consulting doctor', 'ensure', { status: 'stored' }),
  A62: visit('Cancel change of consulting doctor', 'ensure', { status: 'stored' }),
}
