import type { Encounter } from '../../../../packages/fhir/r4.ts'
import { assignedPlace } from '../../hl7-from-fhir/index.ts'
import type { KnownVisit } from '../known-visits.ts'
import type { MessageContext } from './outbound-message.ts'

type VisitEvent = readonly [trigger: string, structure: string]

/**
 * What has happened to a visit: to whom it is new, the event that its status tells of; to others what has changed since they
 * heard of it.
 */
export function visitEvent(visit: Encounter, context: MessageContext): VisitEvent {
  const own = eventOfStatus(visit)
  const { known } = context
  if (known?.isKnown !== true || isTakenBack(own)) return own
  if (known.before === undefined) return isUpdate(context) ? update : own
  return changeSince(known.before, visit, context)
}

function changeSince(before: NonNullable<KnownVisit['before']>, visit: Encounter, context: MessageContext): VisitEvent {
  const [was, own] = [eventOfStatus(before), eventOfStatus(visit)]
  if (was !== own) return transitions[`${was[0]} ${own[0]}`] ?? own
  const [left, place] = [before, visit].map((version) => assignedPlace(version, context))
  const isMoved = isUnderWay(own) && left !== undefined && place !== undefined && left !== place
  return isMoved ? ['A02', 'ADT_A02'] : update
}

const admitted: VisitEvent = ['A01', 'ADT_A01']
const registered: VisitEvent = ['A04', 'ADT_A01']
const discharged: VisitEvent = ['A03', 'ADT_A03']
const expected: VisitEvent = ['A05', 'ADT_A05']
const cancelled: VisitEvent = ['A11', 'ADT_A09']
const deleted: VisitEvent = ['A23', 'ADT_A21']
const update: VisitEvent = ['A08', 'ADT_A01']

function eventOfStatus({ status, class: { code } }: Encounter): VisitEvent {
  if (status === 'finished') return discharged
  if (status === 'planned') return expected
  if (status === 'cancelled') return cancelled
  if (status === 'entered-in-error') return deleted
  return code === 'IMP' || code === 'ACUTE' || code === 'NONAC' ? admitted : registered
}

/** Where it is more than the event of the new status: a discharge that is cancelled, a change of class. */
const transitions: Readonly<Record<string, VisitEvent>> = {
  'A03 A01': ['A13', 'ADT_A01'],
  'A03 A04': ['A13', 'ADT_A01'],
  'A04 A01': ['A06', 'ADT_A06'],
  'A01 A04': ['A07', 'ADT_A06'],
}

const isTakenBack = (event: VisitEvent): boolean => event === cancelled || event === deleted

const isUnderWay = (event: VisitEvent): boolean => event === admitted || event === registered

/** Where nobody can say what was before, the message says whether it is one of an event or of something else. */
const isUpdate = ({ messageType }: MessageContext): boolean =>
  messageType === 'ADT^A08' || !messageType.startsWith('ADT^')
