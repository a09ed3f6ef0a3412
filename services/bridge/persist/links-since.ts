import { linkedPatientId } from '../../../ports/patient-index/golden-link.ts'
import { isLinkedByIndex, withoutGoldenLink } from '../mapping/golden-link.ts'
import type { Stored, StoredResource } from './find-stored.ts'
import type { Welcomed } from './welcome-newcomers.ts'

/**
 * The message without the links that have changed since its people were looked for. What it knows of them is older: in
 * between, somebody may have confirmed that two people are one.
 */
export function withLinksSince(message: Welcomed, seen: Stored, stored: Stored): Welcomed {
  const changed = new Map(
    message.writes.filter(isLinkedByIndex).flatMap(({ fullUrl }) => {
      const goldenId = goldenIdIn(stored.get(fullUrl))
      return goldenId === undefined || goldenId === goldenIdIn(seen.get(fullUrl)) ? [] : [[fullUrl, goldenId] as const]
    }),
  )
  if (changed.size === 0) return message
  return {
    writes: message.writes.map((write) => (changed.has(write.fullUrl) ? withoutGoldenLink(write) : write)),
    people: message.people.map((person) => {
      const goldenId = changed.get(person.fullUrl)
      return goldenId === undefined ? person : { ...person, goldenId }
    }),
  }
}

const goldenIdIn = (resource: StoredResource | undefined): string | undefined =>
  resource?.resourceType === 'Patient' ? linkedPatientId(resource, 'refer') : undefined
