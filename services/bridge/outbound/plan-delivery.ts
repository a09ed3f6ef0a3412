import { faultOf, unreachable } from '../../../packages/faults/fault.ts'
import type { ContactPoint, FhirResource, Reference, Resource } from '../../../packages/fhir/r4.ts'
import type { Authorities } from '../hl7-from-fhir/index.ts'
import { deliveryIdOf, sameToldBefore, toldBeforeRerun, type NewDelivery } from './delivery.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { KnownVisit } from './known-visits.ts'
import type { Matched } from './match-subscriptions.ts'
import { patientReference } from '../mapping/patient-of.ts'
import { messageOf } from './messages/message-of.ts'
import { receiverOf } from './messages/outbound-message.ts'
import { smsText } from './sms-text.ts'
import type { Resolve } from './surroundings.ts'
import { referenceTo, type WriteEvent } from '../pipeline/write-event.ts'

/** How the bridge names itself in what it sends. */
export interface SenderSettings {
  /** MSH-3. */
  readonly application: string
  /** MSH-4. */
  readonly facility: string
  readonly authorities: Authorities
}

/** What is known around a resource. */
interface Around {
  readonly resolve: Resolve
  /** By which clocks its patient lives. */
  readonly timeZone: string
  /** Of a visit, what its receiver knows of it. */
  readonly known?: KnownVisit | undefined
}

/** By this a resource shows by which exchanges it went. */
const hopSystem = 'urn:corridor:hop'

/** The delivery with what will be sent, or with why it will not be. */
export function planDelivery(matched: Matched, around: Around, sender: SenderSettings, now: Date): NewDelivery {
  const { event, change, subscription } = matched
  const resource = referenceTo(change)
  const id = deliveryIdOf(subscription.id, resource, change.versionId ?? event.transactionId)
  const common = {
    ...{ id, subscriptionId: subscription.id, transactionId: event.transactionId },
    // A message may hold results of several patients, and each has a line of their own.
    patient: patientReference(matched.resource) ?? event.patient,
    ...{ resource, versionId: change.versionId, channel: subscription.channel },
  }
  const endpoint = endpointOf(matched, around.resolve, now)
  // A patient without a phone is no failure of anybody: there is nothing to mend, and nobody is to be called.
  const needless =
    loopOf(matched, sender) ??
    lateOf(matched, now) ??
    againOf(matched) ??
    doneOf(matched) ??
    toldOf(matched, around) ??
    (endpoint === undefined ? noNumber : undefined)
  if (needless !== undefined) {
    return { ...common, endpoint: subscription.endpoint ?? '', payload: '', status: 'skipped', lastError: needless }
  }
  try {
    return {
      ...common,
      ...{ endpoint: endpoint ?? '', payload: payloadOf(matched, id, around, sender) },
      status: 'waiting',
      lastError: null,
    }
  } catch (thrown) {
    const { shown } = faultOf(thrown)
    return { ...common, endpoint: subscription.endpoint ?? '', payload: '', status: 'dead', lastError: shown }
  }
}

/** Nobody hears what they said themselves, and nothing goes round in a circle. */
function loopOf(
  { event, change, subscription, resource }: Matched,
  { application, facility }: SenderSettings,
): string | undefined {
  const own = saidByReceiver(subscription, event)
  if (own !== undefined) return own
  if (event.facilityCode === facility && event.sendingApplication === application)
    return 'This exchange sent it itself.'
  // Tags stay: on what was there before, it tells of somebody's earlier write and not of this message.
  const isNews = change.operation === 'create'
  return isNews && hasHop(resource, facility) ? 'It has gone through this exchange before.' : undefined
}

/**
 * A whole facility, or, where the subscription names them, systems of it: what a hospital's wards order is for its own laboratory.
 * MSH-5 does not say who it is: an engine that is addressed sends under the names of many, and other systems under another one.
 */
function saidByReceiver(
  { receivingFacility, receivingApplication, ownApplications }: Subscription,
  { facilityCode, sendingApplication }: WriteEvent,
): string | undefined {
  if (receivingFacility === undefined || receivingFacility !== facilityCode) return undefined
  if (ownApplications.length > 0) return ownApplications.includes(sendingApplication) ? saidItself : undefined
  return receivingApplication === undefined || receivingApplication === sendingApplication ? saidItself : saidBeside
}

const saidItself = 'The receiver sent it itself.'
const saidBeside =
  'A system of the receiver’s facility sent it. It goes there where the Subscription names the receiver’s own systems (own-application).'

const hasHop = ({ meta }: Resource, facility: string): boolean =>
  meta?.tag?.some(({ system, code }) => system === hopSystem && code === facility) === true

/** Nobody is reminded of what is over: it came late, or tells of the past. */
export function lateOf(
  { subscription, resource }: Pick<Matched, 'subscription' | 'resource'>,
  now: Date,
): string | undefined {
  if (subscription.channel !== 'sms' || resource.resourceType !== 'Appointment') return undefined
  const isOver = resource.start !== undefined && new Date(resource.start) < now
  return isOver ? 'The appointment has begun or is over.' : undefined
}

/** Receivers of records get what is better now. People have been told, perhaps weeks ago. */
const againOf = ({ subscription, event }: Matched): string | undefined =>
  subscription.channel === 'sms' && event.isRerun === true ? toldBeforeRerun : undefined

/**
 * A result makes known an order that nobody has sent here, and adds the filler's number to one that was: whoever carries it out
 * has begun, and would take it for another one. Receivers of records get it.
 */
function doneOf({ subscription, event, resource }: Matched): string | undefined {
  const isToDo = resource.resourceType === 'ServiceRequest' && resource.status === 'active'
  const isToldByResult = event.messageType.startsWith('ORU')
  return isToDo && isToldByResult && subscription.channel !== 'rest-hook' ? underWayAlready : undefined
}

const underWayAlready = 'A result has told of the order: it is being carried out.'

/** Who was told that a patient has arrived need not hear it of each change of the visit. */
function toldOf({ subscription, resource, event }: Matched, { known, timeZone }: Around): string | undefined {
  if (subscription.channel !== 'sms' || known?.isKnownAsBefore !== true || known.before === undefined) return undefined
  const [before, now] = [known.before, resource].map((version) => smsText(version, { ...event, timeZone }))
  return before === now ? sameToldBefore : undefined
}

/** A short message without an address of its own goes to the patient, where they have a number. */
function endpointOf({ subscription, resource }: Matched, resolve: Resolve, now: Date): string | undefined {
  const { channel, endpoint = '' } = subscription
  return channel === 'sms' && endpoint === '' ? patientNumber(resource, resolve, now) : endpoint
}

const noNumber = 'The patient has no phone number of their own.'

function payloadOf(matched: Matched, id: string, { resolve, timeZone, known }: Around, sender: SenderSettings): string {
  const { event, change, subscription, resource } = matched
  const { channel } = subscription
  switch (channel) {
    case 'message': {
      const receiver = receiverOf(subscription)
      return messageOf(resource, {
        ...{ authorities: { ...sender.authorities, facility: receiver.facility }, resolve, sender, receiver },
        ...{ at: new Date(event.occurredAt), controlId: id.replaceAll('-', '').slice(0, 20) },
        ...{ transactionId: event.transactionId, messageType: event.messageType },
        ...{ isChange: change.operation === 'update', known },
        ...(event.processing === undefined ? {} : { processing: event.processing }),
      })
    }
    case 'rest-hook':
      return subscription.payload === undefined ? '' : JSON.stringify(withHop(resource, sender))
    case 'sms':
      return smsText(resource, { ...event, timeZone })
    default:
      return unreachable(channel)
  }
}

function withHop(resource: Resource, { facility }: SenderSettings): Resource {
  if (hasHop(resource, facility)) return resource
  const tag = [...(resource.meta?.tag ?? []), { system: hopSystem, code: facility }]
  return { ...resource, meta: { ...resource.meta, tag } }
}

/** Of the patient who has the appointment, or whom the resource is about. */
function patientNumber(resource: FhirResource, resolve: Resolve, now: Date): string | undefined {
  const people = resource.resourceType === 'Patient' ? [resource] : peopleOf(resource).map(resolve)
  for (const found of people) {
    const number = found?.resourceType === 'Patient' ? ownNumber(found.telecom ?? [], now) : undefined
    if (number !== undefined) return `tel:${number}`
  }
  return undefined
}

function peopleOf(resource: FhirResource): readonly Reference[] {
  if (resource.resourceType === 'Appointment') return resource.participant.flatMap(({ actor }) => actor ?? [])
  const subject = 'subject' in resource ? resource.subject : 'patient' in resource ? resource.patient : undefined
  return subject !== undefined && 'reference' in subject ? [subject] : []
}

/** The mobile phone, the one at home, one of which nothing is said; never that of an employer, nor one that was. */
function ownNumber(telecom: readonly ContactPoint[], now: Date): string | undefined {
  const isOwn = ({ system, use, period }: ContactPoint) =>
    (system === 'phone' || system === 'sms') &&
    use !== 'work' &&
    use !== 'old' &&
    (period?.end === undefined || new Date(period.end) > now)
  const own = telecom.filter(isOwn).flatMap(({ value, use }) => {
    const digits = digitsOf(value ?? '')
    return digits === '' ? [] : [{ digits, use }]
  })
  const best = own.find(({ use }) => use === 'mobile') ?? own.find(({ use }) => use === 'home') ?? own[0]
  return best?.digits
}

/**
 * Without what separates them, without what is dialled after the call was taken (`x12`, `ext. 12`, `#12`), and without the
 * zero that is dialled in its own country alone: with it `+44 (0)20` is another number, or none.
 */
function digitsOf(value: string): string {
  const after = value.search(/[\p{L}#;,]/u)
  const dialled = after === -1 ? value : value.slice(0, after)
  return dialled.replace(/^(\s*(?:\+|00)[^(]*)\(0\)/, '$1').replaceAll(/[^+\d]/g, '')
}
