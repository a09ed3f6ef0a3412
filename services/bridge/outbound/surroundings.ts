import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import type { Matched, Written } from './match-subscriptions.ts'

export type Resolve = (reference: Reference) => FhirResource | undefined

/** How far a message looks around its resource: a report's visit, its bed, room, floor, ward, building and site. */
const stepsMax = 7

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
  const needing = matched.filter(isLookedAround)
  let edge = needing.map((one) => ({ one, resource: one.resource }))
  for (let step = 0; step < stepsMax && edge.length > 0; step++) {
    const wanted = edge.flatMap(({ one, resource }) =>
      referencesIn(step === 0 ? resource : furtherIn(resource)).map((reference) => ({ one, reference })),
    )
    const isUnknown = ({ one, reference }: (typeof wanted)[number]) =>
      !now.has(reference) && inEvent(one, reference) === undefined
    const missing = [...new Set(wanted.filter(isUnknown).map(({ reference }) => reference))]
    const found = missing.length === 0 ? [] : await matching.readVersions(missing.map(versionOf), call)
    for (const [index, reference] of missing.entries()) now.set(reference, found[index] as FhirResource | undefined)
    edge = wanted.flatMap(({ one, reference }) => {
      const resource = inEvent(one, reference) ?? now.get(reference)
      return resource !== undefined && Object.hasOwn(further, resource.resourceType) ? [{ one, resource }] : []
    })
  }
  return (one) => (reference) => {
    const name = localReference(reference.reference)
    return name === undefined ? undefined : (inEvent(one, name) ?? now.get(name))
  }
}

/** Messages are made of more than one resource, and whoever tells patients needs their numbers. */
const isLookedAround = ({ subscription: { channel, endpoint } }: Matched): boolean =>
  channel === 'message' || (channel === 'sms' && endpoint === undefined)

/** Whose own references say more of the same thing, and in which elements. */
const further: Readonly<Record<string, readonly string[]>> = {
  Encounter: ['location', 'participant'],
  Location: ['partOf'],
  Observation: ['derivedFrom'],
  PractitionerRole: ['practitioner'],
  ServiceRequest: ['requester'],
}

const furtherIn = (resource: FhirResource): unknown[] =>
  Object.entries(resource).flatMap(([name, value]) => (further[resource.resourceType]?.includes(name) ? [value] : []))

const referenceOf = ({ resourceType, id }: FhirResource) => `${resourceType}/${id}`

function versionOf(reference: string) {
  const [type = '', id = ''] = reference.split('/')
  return { type, id, version: undefined }
}

/** Every relative reference in a resource, wherever it stands. */
function referencesIn(resource: unknown): string[] {
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
