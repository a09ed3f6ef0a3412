import { goldenIdOf, linkedPatientId } from '../../../ports/patient-index/golden-link.ts'
import { isLinkedByIndex, withoutGoldenLink } from '../mapping/golden-link.ts'
import type { Person } from '../mapping/person.ts'
import type { Stored, StoredResource } from './stored.ts'
import type { Welcomed } from './welcome-newcomers.ts'

/**
 * The message without the links that have changed since its people were looked for. What it knows of them is older: in
 * between, somebody may have confirmed that two people are one, or merged the record of one into another.
 */
export function withLinksSince(message: Welcomed, seen: Stored, stored: Stored): Welcomed {
  const goldenIdSince = (fullUrl: string) => changedGoldenId(seen.get(fullUrl), stored.get(fullUrl))
  const isOlder = (write: Welcomed['writes'][number]) =>
    isLinkedByIndex(write) && goldenIdSince(write.fullUrl) !== undefined
  const sought = new Set(message.writes.map(({ fullUrl }) => fullUrl))
  const isSought = ({ fullUrl }: Person) => sought.has(fullUrl)
  return {
    writes: message.writes.map((write) => (isOlder(write) ? withoutGoldenLink(write) : write)),
    people: message.people.map((person) =>
      // Whom the message does not name it does not look for either.
      isSought(person) ? personNow(person, stored.get(person.fullUrl), goldenIdSince(person.fullUrl)) : person,
    ),
  }
}

/** Whether somebody of the message has become another record than the one that it was taken for. */
export const areOthers = (people: readonly Person[], before: readonly Person[]): boolean =>
  people.some(({ id, goldenId }, at) => id !== before[at]?.id || goldenId !== before[at]?.goldenId)

function changedGoldenId(seen: StoredResource | undefined, stored: StoredResource | undefined): string | undefined {
  if (stored?.resourceType !== 'Patient') return undefined
  // The record that stayed after a merge has the golden record that it has.
  if (seen !== undefined && seen.id !== stored.id) return goldenIdOf(stored)
  const linked = linkedPatientId(stored, 'refer')
  const before = seen?.resourceType === 'Patient' ? linkedPatientId(seen, 'refer') : undefined
  return linked === before ? undefined : linked
}

function personNow({ id: _before, ...person }: Person, stored: StoredResource | undefined, goldenId?: string): Person {
  return { ...person, ...(stored && { id: stored.id }), ...(goldenId === undefined ? {} : { goldenId }) }
}
