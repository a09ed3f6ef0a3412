import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { goldenReference, survivorReference } from '../mapping/patient-links.ts'
import type { StoredResource } from './stored.ts'

/**
 * Of several records of one person that have the number of a message, a national one: those with another number of it, else those that
 * its sender manages, and of these the one that was there first. All of them where they are of several people, or where nobody knows;
 * and where one would end (A29, A40), whose sender has to say which.
 * @param byOthers what was found by its other numbers
 */
export function recordOfPerson(
  found: readonly StoredResource[],
  { mode, resource, defaults }: Write,
  byOthers: readonly StoredResource[],
): readonly StoredResource[] {
  const inUse = found.filter((one) => survivorReference(one) === undefined && (one as Patient).active !== false)
  const [first, ...others] = inUse
  if (first === undefined || others.length === 0) return found
  if (mode === 'amend' || survivorReference(resource) !== undefined) return found
  const golden = goldenReference(first)
  if (golden === undefined || others.some((one) => goldenReference(one) !== golden)) return found
  const organization = managerOf(defaults as Partial<Patient>)
  const numbered = inUse.filter(({ id }) => byOthers.some((one) => one.id === id))
  const managed = inUse.filter((one) => managerOf(one as Patient) === organization)
  const meant = [numbered, managed].find((some) => some.length > 0) ?? inUse
  return meant.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, 1)
}

const managerOf = ({ managingOrganization }: Partial<Patient>): string | undefined => managingOrganization?.reference
