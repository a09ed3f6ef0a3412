import type { Patient, PatientContact, RelatedPerson } from '../../../packages/fhir/r4.ts'
import { isNamedAmong } from '../mapping/another-person.ts'
import type { Write } from '../mapping/mapped.ts'
import { nextOfKin } from '../mapping/segments/nk1.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { ifAble } from './if-able.ts'
import { brings } from './of-visit.ts'
import { referenceTo, type Stored, type StoredResource } from './stored.ts'

/**
 * A message that names next of kin (NK1) names all of them. Who was one and is one no longer is out of use as a person, too: who
 * signs in to the portal as that person stands beside the patient no longer. The contacts of the patient show whether somebody has
 * gone; only then is anything asked.
 */
export async function withEndedKin(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const told = writes.flatMap((write) => {
    const gone = goneFrom(write, stored)
    return gone.length === 0 ? [] : [{ write, gone }]
  })
  if (told.length === 0) return { writes, stored }
  const known = new Set([...stored.values()].map(referenceTo))
  const found = await Promise.all(told.map(({ write, gone }) => kinAmong(gone, write, stored, signal, deps)))
  const ended = found.flat().filter(({ resource }) => !known.has(referenceTo(resource)))
  return withBrought(writes, stored, ended)
}

/** Of the contacts that are stored those whom the message does not name. A record that was merged into another has told of none. */
function goneFrom(write: Write, stored: Stored): readonly PatientContact[] {
  const there = stored.get(write.fullUrl)
  if (there?.resourceType !== 'Patient' || write.mode !== 'upsert' || write.isMention === true) return []
  if (stored.replaced?.has(write.fullUrl) === true) return []
  // Sound: what was found for a write is of its type.
  const said = (write.resource as Patient).contact ?? (write.deletes.includes('contact') ? [] : undefined)
  if (said === undefined) return []
  const isSaid = isNamedAmong(said)
  return (there.contact ?? []).filter((one) => one.name !== undefined && !isSaid(one))
}

/** More than anybody has. */
const kinMax = 200

async function kinAmong(
  gone: readonly PatientContact[],
  write: Write,
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Brought[]> {
  const criteria = { patient: `Patient/${stored.get(write.fullUrl)?.id}`, _count: String(kinMax) }
  const search = () => deps.store.search<RelatedPerson & StoredResource>('RelatedPerson', criteria, { signal })
  // Where the server cannot search so, they stay.
  const all = await ifAble(search, signal, deps)
  const hasGone = isNamedAmong(gone)
  return all
    .filter((one) => one.active !== false && isOurs(one) && hasGone({ ...one, name: one.name?.[0] }))
    .map((one) => brings(one, { active: false }, write))
}

/** Of whom a message has told; whoever was written down by somebody else is theirs to end. */
const isOurs = ({ identifier = [] }: RelatedPerson): boolean =>
  identifier.some(({ system }) => system?.endsWith(`/${nextOfKin}`) === true)
