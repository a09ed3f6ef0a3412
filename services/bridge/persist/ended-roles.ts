import type { FhirResource, PractitionerRole } from '../../../packages/fhir/r4.ts'
import { identifierKey } from '../mapping/keys.ts'
import type { Write } from '../mapping/mapped.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { ifAble } from './if-able.ts'
import type { Stored, StoredResource } from './stored.ts'

/**
 * A message that somebody has left, or works elsewhere now, does not name all that they did: it is found by who they are. What it
 * names they do, also where they had left that unit before; unless they are out of use themselves.
 */
export async function withEndedRoles(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const told = writes.filter(({ endsRoles, fullUrl }) => endsRoles !== undefined && stored.has(fullUrl))
  if (told.length === 0) return { writes, stored }
  const known = new Set([...stored.values()].map(({ resourceType, id }) => `${resourceType}/${id}`))
  const found = await Promise.all(told.map((write) => rolesOf(write, stored, signal, deps)))
  const ended = found.flat().filter(({ resource }) => !known.has(`PractitionerRole/${resource.id}`))
  const inUse = new Set(told.filter((write) => isInUse(write, stored)).map(({ fullUrl }) => fullUrl))
  return withBrought(
    writes.map((write) => heldAgain(write, inUse)),
    stored,
    ended,
  )
}

function isInUse({ resource, fullUrl }: Write, stored: Stored): boolean {
  const there = stored.get(fullUrl)
  const isActive = (one: FhirResource | undefined) => (one?.resourceType === 'Practitioner' ? one.active : undefined)
  return (isActive(resource) ?? isActive(there)) !== false
}

function heldAgain(write: Write, inUse: ReadonlySet<string>): Write {
  const { resource } = write
  if (resource.resourceType !== 'PractitionerRole' || resource.active !== undefined) return write
  return inUse.has(resource.practitioner?.reference ?? '')
    ? { ...write, resource: { ...resource, active: true } }
    : write
}

type StoredRole = PractitionerRole & StoredResource

/** More than anybody has. */
const rolesMax = 100

async function rolesOf(
  { fullUrl, endsRoles }: Write,
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Brought[]> {
  const practitioner = `Practitioner/${stored.get(fullUrl)?.id}`
  const criteria = { practitioner, active: 'true', _count: String(rolesMax) }
  const search = () => deps.store.search<StoredRole>('PractitionerRole', criteria, { signal })
  // Where the server cannot search so, only the roles that the message names end.
  const roles = await ifAble(search, signal, deps)
  return roles.flatMap((role) => {
    // What somebody does elsewhere ends there.
    const own = role.identifier?.find(({ system }) => system === endsRoles)
    return own === undefined ? [] : [{ resource: role, write: endOf(role, identifierKey(own)) }]
  })
}

const endOf = ({ id }: StoredRole, key: Write['key']): Write => ({
  ...{ fullUrl: `urn:uuid:${nameUuid(`PractitionerRole/${id}`)}`, key, mode: 'amend' },
  resource: { resourceType: 'PractitionerRole', active: false },
  ...{ defaults: {}, deletes: [], removes: [] },
})
