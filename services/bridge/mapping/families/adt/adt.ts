import type { Draft } from '../../draft.ts'
import { unsupportedEvent } from '../../refusals.ts'
import { putProvenance } from '../../segments/evn.ts'
import { triggerOf } from '../../segments/msh.ts'
import { mapBedStatus, mapBedSwap } from './beds.ts'
import { changeAccount, changeIdentifiers, changeVisit } from './change.ts'
import { type AdtEvent, adtEvents } from './events.ts'
import { segmentsOfEach } from '../../patient-groups.ts'
import { linkPatients, unlinkPatients } from './link.ts'
import { mergeAccounts, mergePatients, mergeVisits } from './merge.ts'
import { moveAccount, moveIdentifiers, moveVisit } from './move.ts'
import { deletePerson, mapPerson, mapVisit } from './visit.ts'

/** ADT: patients, their visits and where they are. The event decides (`events.ts`). */
export function mapAdt(draft: Draft): void {
  const event = eventOf(draft)
  mapEvent(event, draft)
  putProvenance(draft)
}

function mapEvent(event: AdtEvent, draft: Draft): void {
  switch (event.about) {
    case 'visit':
      return segmentsOfEach(draft).forEach((segments) => mapVisit(segments, event, draft))
    case 'person':
      return segmentsOfEach(draft).forEach((segments) => mapPerson(segments, event, draft))
    case 'person-deleted':
      return segmentsOfEach(draft).forEach((segments) => deletePerson(segments, draft))
    case 'bed-status':
      return mapBedStatus(draft)
    case 'bed-swap':
      return mapBedSwap(draft)
    case 'patient-link':
      return linkPatients(draft)
    case 'patient-unlink':
      return unlinkPatients(draft)
    case 'patient-merge':
      return mergePatients(draft)
    case 'account-merge':
      return mergeAccounts(draft)
    case 'visit-merge':
      return mergeVisits(draft)
    case 'identifier-move':
      return moveIdentifiers(draft)
    case 'account-move':
      return moveAccount(draft)
    case 'visit-move':
      return moveVisit(draft)
    case 'identifier-change':
      return changeIdentifiers(draft)
    case 'account-change':
      return changeAccount(draft)
    case 'visit-change':
      return changeVisit(draft)
  }
}

function eventOf(draft: Draft): AdtEvent {
  const trigger = triggerOf(draft)
  const event = Object.hasOwn(adtEvents, trigger) ? adtEvents[trigger] : undefined
  return event ?? unsupportedEvent('ADT', draft)
}
