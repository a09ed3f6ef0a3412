import { faultOf } from '../../../packages/faults/fault.ts'
import type { PractitionerRole } from '../../../packages/fhir/r4.ts'
import { cannotSearch } from '../../../ports/fhir-store/cannot-search.ts'
import { identifierKey } from '../mapping/keys.ts'
import type { Write } from '../mapping/mapped.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import type { Stored, StoredResource } from './stored.ts'

/** A message that somebody has left does not name all that they did: it is found by who they are. */
export async function withEndedRoles(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const leaving = writes.filter(({ endsRoles, fullUrl }) => endsRoles !== undefined && stored.has(fullUrl))
  if (leaving.length === 0) return { writes, stored }
  const known = new Set([...stored.values()].map(({ resourceType, id }) => `${resourceType}/${id}`))
  const found = await Promise.all(leaving.map((write) => rolesOf(write, stored, signal, deps)))
  const ended = found.flat().filter(({ resource }) => !known.has(`PractitionerRole/${resource.id}`))
  return withBrought(writes, stored, ended)
}

type StoredRole = PractitionerRole & StoredResource

/** More than anybody has. */
const rolesMax = 100

async function rolesOf(
  { fullUrl, endsRoles }: Write,
  stored: Stored,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<Brought[]> {
  const practitioner = `Practitioner/${stored.get(fullUrl)?.id}`
  const criteria = { practitioner, active: 'true', _count: String(rolesMax) }
  try {
    const roles = await breakers.call(
      'fhir-server',
      () => store.search<StoredRole>('PractitionerRole', criteria, { signal }),
      signal,
    )
    return roles.flatMap((role) => {
      // What somebody does elsewhere ends there.
      const own = role.identifier?.find(({ system }) => system === endsRoles)
      return own === undefined ? [] : [{ resource: role, write: endOf(role, identifierKey(own)) }]
    })
  } catch (thrown) {
    // A server that cannot search so is no reason to refuse the message: then only the roles that it names end.
    const fault = faultOf(thrown)
    if (cannotSearch(fault)) return []
    throw fault
  }
}

const endOf = ({ id }: StoredRole, key: Write['key']): Write => ({
  ...{ fullUrl: `urn:uuid:${nameUuid(`PractitionerRole/${id}`)}`, key, mode: 'amend' },
  resource: { resourceType: 'PractitionerRole', active: false },
  ...{ defaults: {}, deletes: [], removes: [] },
})
