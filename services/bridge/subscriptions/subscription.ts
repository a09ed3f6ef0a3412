import type { Subscription as FhirSubscription } from '../../../ports/fhir-store/resources.ts'
import type { Criteria } from '../../../ports/resource-matching/resource-matching.ts'
import { subscriptionExtensions } from './extensions.ts'

export const deliveryChannels = ['message', 'rest-hook', 'sms'] as const

export type DeliveryChannel = (typeof deliveryChannels)[number]

/** A FHIR Subscription as the bridge works with it. */
export interface Subscription {
  readonly id: string
  readonly status: 'active' | 'error'
  readonly reason: string
  readonly criteria: Criteria
  readonly channel: DeliveryChannel
  /** None: the patient's own number. */
  readonly endpoint: string | undefined
  /** The type of what is sent; without one only that there is something. */
  readonly payload: string | undefined
  /** `Name: value`, for rest-hook. */
  readonly headers: readonly string[]
  readonly receivingFacility: string | undefined
  readonly receivingApplication: string | undefined
  /** By which names (MSH-3) the receiver sends; none: by any of its facility. */
  readonly ownApplications: readonly string[]
}

/** A FHIR Subscription as people see it, also where the bridge cannot work with it. */
export interface ListedSubscription {
  readonly id: string
  readonly status: 'active' | 'error'
  readonly reason: string
  readonly criteria: string
  /** As R4 names it; `email` and `websocket` are not served. */
  readonly channel: string
  /** None: the patient's own number. */
  readonly endpoint: string | undefined
  /** Why it is not served, or why it does not arrive. */
  readonly error: string | undefined
}

/** Or one sentence that says why it cannot be served. */
export function readSubscription(resource: FhirSubscription): Subscription | string {
  const { id = '', criteria, channel, reason, status } = resource
  const at = criteria.indexOf('?')
  const type = at === -1 ? criteria : criteria.slice(0, at)
  if (!/^[A-Z][A-Za-z]+$/.test(type)) return 'The criteria must begin with a type of resource: Patient?active=true.'
  const query = at === -1 ? '' : criteria.slice(at + 1)
  if (query === '') return 'The criteria must hold at least one search parameter.'
  const kind = deliveryChannels.find((known) => known === channel.type)
  if (kind === undefined) return `A channel of type ${channel.type} is not served; use rest-hook, message or sms.`
  const wrong = wrongEndpoint(kind, channel.endpoint)
  if (wrong !== undefined) return wrong
  const { payload } = channel
  if (kind === 'rest-hook' && payload !== undefined && !isSent(payload))
    return `A payload of ${payload} is not sent; use application/fhir+json.`
  return {
    ...{ id, reason, criteria: { type, query }, channel: kind },
    status: status === 'error' ? 'error' : 'active',
    endpoint: channel.endpoint,
    payload: channel.payload,
    headers: channel.header ?? [],
    receivingFacility: extensionsOf(resource, subscriptionExtensions.receivingFacility)[0],
    receivingApplication: extensionsOf(resource, subscriptionExtensions.receivingApplication)[0],
    ownApplications: extensionsOf(resource, subscriptionExtensions.ownApplication),
  }
}

const schemes = { message: ['mllp:', 'mllps:'], 'rest-hook': ['http:', 'https:'], sms: ['tel:'] } as const

function wrongEndpoint(channel: DeliveryChannel, endpoint: string | undefined): string | undefined {
  const allowed: readonly string[] = schemes[channel]
  if (endpoint === undefined) return channel === 'sms' ? undefined : 'The channel has no endpoint.'
  const wanted = `The endpoint must be an address that begins with ${allowed.join(' or ')}`
  if (!URL.canParse(endpoint)) return `${wanted}.`
  const { protocol, username, password, pathname } = new URL(endpoint)
  if (!allowed.includes(protocol)) return `${wanted}.`
  if (channel === 'sms' && !/\d/.test(pathname)) return 'The endpoint must hold a phone number: tel:+254700000000.'
  return username === '' && password === '' ? undefined : 'The endpoint must not hold a user or a password.'
}

/** What a hook is sent; without a payload only that there is something. The other channels have one form each. */
const isSent = (payload: string): boolean => /^application\/(fhir\+)?json\s*(;|$)/i.test(payload.trim())

const extensionsOf = ({ extension = [] }: FhirSubscription, wanted: string): string[] =>
  extension.flatMap(({ url, valueString }) => (url === wanted ? (valueString ?? []) : []))
