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
 * signs in to the portal as that person stands beside the patient no longer. They are asked for, since what the contacts of the
 * patient show of them others may have changed: the patient, and who acts for them.
 */
export async function withEndedKin(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const told = writes.flatMap((write) => {
    const named = namedBy(write, stored)
    return named === undefined ? [] : [{ write, named }]
  })
  if (told.length === 0) return { writes, stored }
  const known = new Set([...stored.values()].map(referenceTo))
  const found = await Promise.all(told.map(({ write, named }) => kinBut(named, write, stored, signal, deps)))
  const ended = found.flat().filter(({ resource }) => !known.has(referenceTo(resource)))
  return withBrought(writes, stored, ended)
}

/** Whom the message names, where it speaks of them and is about a stored patient. One who was merged into another has told of none. */
function namedBy(write: Write, stored: Stored): readonly PatientContact[] | undefined {
  if (stored.get(write.fullUrl)?.resourceType !== 'Patient' || write.mode !== 'upsert') return undefined
  if (write.isMention === true || stored.replaced?.has(write.fullUrl) === true) return undefined
  // Sound: what was found for a write is of its type.
  return (write.resource as Patient).contact ?? (write.deletes.includes('contact') ? [] : undefined)
}

/** As many at once; hardly anybody has more. */
const pageSize = 200

async function kinBut(
  named: readonly PatientContact[],
  write: Write,
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Brought[]> {
  const criteria = { patient: `Patient/${stored.get(write.fullUrl)?.id}`, _count: String(pageSize) }
  const search = () => deps.store.searchAll<RelatedPerson & StoredResource>('RelatedPerson', criteria, { signal })
  // Where the server cannot search so, they stay.
  const all = await ifAble(search, signal, deps)
  const isNamed = isNamedAmong(named)
  return all.flatMap((one) => {
    const name = one.name?.[0]
    // Of whom a message told a number only (PID-21), NK1 need not speak.
    const isEnded =
      name !== undefined && one.active !== false && isOurs(one) && !isNamed({ name, relationship: one.relationship })
    return isEnded ? [brings(one, { active: false }, write)] : []
  })
}

/** Of whom a message has told; whoever was written down by somebody else is theirs to end. */
const isOurs = ({ identifier = [] }: RelatedPerson): boolean =>
  identifier.some(({ system }) => system?.endsWith(`/${nextOfKin}`) === true)
