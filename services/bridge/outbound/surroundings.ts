import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import type { CallOptions } from '../../../ports/fhir-store/fhir-store.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import type { Matched, Written } from './match-subscriptions.ts'

export type Resolve = (reference: Reference) => FhirResource | undefined

/** How far a message looks around its resource: the report's results, a role's practitioner, a bed's ward and site. */
const stepsMax = 3

/**
 * What the matched resources refer to: as the same message wrote it, else as it is now. Each step is one call for all of
 * them; who only notifies needs none.
 */
export async function readSurroundings(
  matched: readonly Matched[],
  written: readonly Written[],
  matching: ResourceMatching,
  call: CallOptions,
): Promise<(one: Matched) => Resolve> {
  const ofEvent = new Map<string, FhirResource>()
  for (const { event, resource } of written) ofEvent.set(`${event.eventId} ${referenceOf(resource)}`, resource)
  const now = new Map<string, FhirResource | undefined>()
  const inEvent = ({ event }: Matched, reference: string) => ofEvent.get(`${event.eventId} ${reference}`)
  const needing = matched.filter(({ subscription, resource }) => isLookedAround(subscription.channel, resource))
  let edge = needing.map((one) => ({ one, resource: one.resource }))
  for (let step = 0; step < stepsMax && edge.length > 0; step++) {
    const wanted = edge.flatMap(({ one, resource }) => referencesIn(resource).map((reference) => ({ one, reference })))
    const isUnknown = ({ one, reference }: (typeof wanted)[number]) =>
      !now.has(reference) && inEvent(one, reference) === undefined
    const missing = [...new Set(wanted.filter(isUnknown).map(({ reference }) => reference))]
    const found = await matching.readVersions(missing.map(versionOf), call)
    for (const [index, reference] of missing.entries()) now.set(reference, found[index] as FhirResource | undefined)
    edge = wanted.flatMap(({ one, reference }) => {
      const resource = inEvent(one, reference) ?? now.get(reference)
      return resource !== undefined && furtherTypes.has(resource.resourceType) ? [{ one, resource }] : []
    })
  }
  return (one) => (reference) => {
    const name = localReference(reference.reference)
    return name === undefined ? undefined : (inEvent(one, name) ?? now.get(name))
  }
}

/** Messages are made of more than one resource, and a reminder needs the patient's number. */
const isLookedAround = (channel: string, { resourceType }: FhirResource) =>
  channel === 'message' || (channel === 'sms' && resourceType === 'Appointment')

/** Whose own references say more of the same thing. */
const furtherTypes = new Set(['PractitionerRole', 'Location'])

const referenceOf = ({ resourceType, id }: FhirResource) => `${resourceType}/${id}`

function versionOf(reference: string) {
  const [type = '', id = ''] = reference.split('/')
  return { type, id, version: undefined }
}

/** Every relative reference in a resource, wherever it stands. */
function referencesIn(resource: FhirResource): string[] {
  const found = new Set<string>()
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      const reference = name === 'reference' ? localReference(value) : undefined
      if (reference === undefined) walk(value)
      else found.add(reference)
    }
  }
  walk(resource)
  return [...found]
}

function localReference(reference: unknown): string | undefined {
  if (typeof reference !== 'string') return undefined
  return /^([A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64})(\/_history\/.+)?$/.exec(reference)?.[1]
}
