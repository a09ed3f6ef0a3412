import type { Immunization } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { patientOf } from '../mapping/patient-of.ts'
import type { Brought } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { ifAble } from './if-able.ts'
import { referenceTo, type StoredResource } from './stored.ts'

/** What results, orders, diagnoses and documents of a visit are searched by. */
const types = [
  'Condition',
  'Procedure',
  'Observation',
  'DiagnosticReport',
  'ServiceRequest',
  'MedicationRequest',
  'DocumentReference',
  'Composition',
] as const

/** Of each type, more than nearly every visit has; all of them are one transaction. */
const countMax = 1000

/** All that refers to a visit, and meets the further criteria. */
export async function ofVisit(
  visit: StoredResource,
  criteria: Readonly<Record<string, string>>,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<readonly StoredResource[]> {
  const asked = { encounter: `Encounter/${visit.id}`, ...criteria, _count: String(countMax) }
  const search = (type: string) => deps.store.searchAll<StoredResource>(type, asked, { signal })
  // Where the server cannot search so, the visit goes alone.
  const found = types.map((type) => ifAble(() => search(type), signal, deps))
  return (await Promise.all([...found, dosesOf(visit, signal, deps)])).flat()
}

/** R4 does not search doses by their visit: they are among those of its patient. */
async function dosesOf(visit: StoredResource, signal: AbortSignal, deps: FindDeps): Promise<readonly StoredResource[]> {
  const patient = patientOf(visit)?.reference
  if (patient === undefined) return []
  const asked = { patient, _count: String(countMax) }
  const search = () => deps.store.searchAll<Immunization & StoredResource>('Immunization', asked, { signal })
  const doses = await ifAble(search, signal, deps)
  return doses.filter(({ encounter }) => encounter?.reference === `Encounter/${visit.id}`)
}

/** A write that changes a part of what is stored, and nothing where its visit stays as it is. */
export const brings = (stored: StoredResource, part: object, { fullUrl: broughtBy }: Write): Brought => ({
  resource: stored,
  write: {
    ...{ fullUrl: `urn:uuid:${nameUuid(referenceTo(stored))}`, mode: 'amend', broughtBy },
    key: { parameter: 'identifier', system: '', value: '' },
    // Sound: a part of a resource of this type, which is merged into the whole.
    resource: { resourceType: stored.resourceType, ...part } as Write['resource'],
    ...{ defaults: {}, deletes: [], removes: [] },
  },
})
