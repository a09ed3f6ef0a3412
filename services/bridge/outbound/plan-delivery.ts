import { faultOf, incorrect, unreachable } from '../../../packages/faults/fault.ts'
import type { FhirResource, Resource } from '../../../packages/fhir/r4.ts'
import type { Authorities } from '../hl7-from-fhir/index.ts'
import type { NewDelivery } from './delivery.ts'
import { derivedId } from './derived-id.ts'
import type { Matched } from './match-subscriptions.ts'
import { messageOf } from './messages/message-of.ts'
import { smsText } from './sms-text.ts'
import type { Resolve } from './surroundings.ts'
import { referenceTo } from './write-event.ts'

/** How the bridge names itself in what it sends. */
export interface SenderSettings {
  /** MSH-3. */
  readonly application: string
  /** MSH-4. */
  readonly facility: string
  readonly authorities: Authorities
}

/** By this a resource shows by which exchanges it went. */
const hopSystem = 'urn:corridor:hop'

/** The delivery with what will be sent, or with why it will not be. */
export function planDelivery(matched: Matched, resolve: Resolve, sender: SenderSettings): NewDelivery {
  const { event, change, subscription } = matched
  const resource = referenceTo(change)
  const id = derivedId('delivery', subscription.id, resource, change.versionId ?? event.transactionId)
  const common = {
    ...{ id, subscriptionId: subscription.id, transactionId: event.transactionId, patient: event.patient },
    ...{ resource, versionId: change.versionId, channel: subscription.channel },
  }
  const loop = loopOf(matched, sender)
  if (loop !== undefined) {
    return { ...common, endpoint: subscription.endpoint ?? '', payload: '', status: 'skipped', lastError: loop }
  }
  try {
    return { ...common, ...contentOf(matched, id, resolve, sender), status: 'waiting', lastError: null }
  } catch (thrown) {
    const { shown } = faultOf(thrown)
    return { ...common, endpoint: subscription.endpoint ?? '', payload: '', status: 'dead', lastError: shown }
  }
}

/** Nobody hears what they said themselves, and nothing goes round in a circle. */
function loopOf(
  { event, subscription, resource }: Matched,
  { application, facility }: SenderSettings,
): string | undefined {
  const { receivingFacility } = subscription
  if (receivingFacility !== undefined && receivingFacility === event.facilityCode) return 'The receiver sent it itself.'
  if (event.facilityCode === facility && event.sendingApplication === application)
    return 'This exchange sent it itself.'
  const cameFrom = resource.meta?.tag?.filter(({ system }) => system === hopSystem) ?? []
  return cameFrom.some(({ code }) => code === facility) ? 'It has gone through this exchange before.' : undefined
}

function contentOf(matched: Matched, id: string, resolve: Resolve, sender: SenderSettings) {
  const { event, subscription, resource } = matched
  const { channel, endpoint = '' } = subscription
  switch (channel) {
    case 'message': {
      const { receivingApplication: application, receivingFacility: facility } = subscription
      const payload = messageOf(resource, {
        ...{ authorities: sender.authorities, resolve, sender, receiver: { application, facility } },
        ...{ at: new Date(event.occurredAt), controlId: id.replaceAll('-', '').slice(0, 20) },
        transactionId: event.transactionId,
      })
      return { endpoint, payload }
    }
    case 'rest-hook':
      return { endpoint, payload: subscription.payload === undefined ? '' : JSON.stringify(withHop(resource, sender)) }
    case 'sms':
      return {
        endpoint: endpoint === '' ? patientNumber(resource, resolve) : endpoint,
        payload: smsText(resource, event),
      }
    default:
      return unreachable(channel)
  }
}

function withHop(resource: Resource, { facility }: SenderSettings): Resource {
  const tag = [...(resource.meta?.tag ?? []), { system: hopSystem, code: facility }]
  return { ...resource, meta: { ...resource.meta, tag } }
}

/** Of the patient who has the appointment, or whom the resource is about. */
function patientNumber(resource: FhirResource, resolve: Resolve): string {
  const people =
    resource.resourceType === 'Appointment'
      ? resource.participant.flatMap(({ actor }) => actor ?? [])
      : 'subject' in resource && resource.subject !== undefined && 'reference' in resource.subject
        ? [resource.subject]
        : []
  for (const person of people) {
    const found = resolve(person)
    const phones =
      found?.resourceType === 'Patient' ? (found.telecom ?? []).filter(({ system }) => system === 'phone') : []
    const number = (phones.find(({ use }) => use === 'mobile') ?? phones[0])?.value
    if (number !== undefined) return `tel:${number.replaceAll(/[^+\d]/g, '')}`
  }
  throw incorrect('The patient has no phone number.')
}
