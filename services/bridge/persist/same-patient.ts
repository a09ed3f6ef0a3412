import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import type { StoredResource } from './stored.ts'

/**
 * Senders do not always name the numbers of a record in one order (PID-3). A second record that has a number of the first would
 * find both, and every message under it would be refused. Whoever is found by another number than the first is meant where there
 * is one alone, in use, of the same day of birth: a child may be sent with the number of its mother.
 */
export function samePatient(found: readonly StoredResource[], { resource }: Write): StoredResource | undefined {
  const { birthDate } = resource as Patient
  if (birthDate === undefined) return undefined
  const records = new Map(found.map((one) => [one.id, one as StoredResource & Patient]))
  const [one, ...others] = [...records.values()].filter(({ active }) => active !== false)
  return one?.birthDate === birthDate && others.length === 0 ? one : undefined
}

/** It is found by a number that it is no longer known by (A47). */
export function isRenumbered({ resource, key }: Write): boolean {
  const { identifier = [] } = resource as Patient
  return identifier.some(({ use, system, value }) => use === 'old' && system === key.system && value === key.value)
}
