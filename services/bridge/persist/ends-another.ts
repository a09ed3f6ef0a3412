import type { Identifier } from '../../../packages/fhir/r4.ts'
import { numberKind } from '../../../ports/patient-index/number-kinds.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import type { Write } from '../mapping/mapped.ts'
import { survivorReference } from '../mapping/patient-links.ts'
import { identifiersOf } from './identifiers-of.ts'
import type { Stored } from './stored.ts'

/**
 * Whether a merge (A40) that names who goes by a national number alone has found the record of another facility: it has numbers of
 * records in systems of which the message names none.
 */
export function endsAnother({ resource, key, fullUrl }: Write, stored: Stored, writes: readonly Write[]): boolean {
  const there = stored.get(fullUrl)
  if (there === undefined || there.id === stored.get(survivorReference(resource) ?? '')?.id) return false
  const isKey = isAmong([key])
  if (identifiersOf(resource).some((one) => isKey(one) && isOfRecord(one))) return false
  const named = new Set(writes.flatMap((write) => identifiersOf(write.resource).map(({ system }) => system)))
  return identifiersOf(there).some((one) => isOfRecord(one) && !named.has(one.system))
}

const isOfRecord = (one: Identifier): boolean => numberKind(one) === 'record'
