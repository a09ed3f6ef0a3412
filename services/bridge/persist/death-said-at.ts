import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { questionOf } from '../mapping/merge-rules.ts'
import type { Write } from '../mapping/mapped.ts'
import type { SaidLater } from './late-writes.ts'
import { ownTime, withOwnExtensions } from './own-extensions.ts'
import { isSaidBefore } from './stale.ts'

/**
 * An event of a visit (A03) says of its patient whether they have died, and nothing else. So the time of that stands beside the one at
 * which something was last said of the patient: an older message that comes late tells the rest all the same.
 */
const deathUrl = (base: string): string => `${base}/StructureDefinition/deceased-said-at`

const isOfDeath = (element: string): boolean => questionOf(element.replace('_', '')) === 'deceased'

const saysDeath = ({ resource, deletes }: Write): boolean =>
  resource.resourceType === 'Patient' && [...Object.keys(resource), ...deletes].some(isOfDeath)

interface Told {
  readonly saidAt: string | undefined
  readonly later: SaidLater
  /** Where the patient is stored, as `Type/id`. */
  readonly place: string
}

/** The write without what it says of a death, where something newer has spoken of that. */
export function withoutOlderDeath(
  write: Write,
  current: FhirResource | undefined,
  { saidAt, later, place }: Told,
  base: string,
): Write {
  if (current === undefined || !saysDeath(write)) return write
  const isOlder = isSaidBefore(saidAt, ownTime(current, deathUrl(base)))
  if (!isOlder && !later.deathSaid.has(place)) return write
  const others = Object.entries(write.resource).filter(([name]) => !isOfDeath(name))
  // Sound: a patient of whom less is said.
  const resource = Object.fromEntries(others) as unknown as FhirResource
  return { ...write, resource, deletes: write.deletes.filter((path) => !isOfDeath(path)) }
}

interface Said {
  readonly write: Write
  readonly saidAt: string | undefined
  /** It is the last that was said of the patient. */
  readonly isLast: boolean
}

/** The patient with the time of what was said of a death, where nothing else of them was said then. */
export function withDeathTime(patient: FhirResource, { write, saidAt, isLast }: Said, base: string): FhirResource {
  const isOfMention = write.isMention === true
  if (saidAt === undefined || !saysDeath(write) || !(isLast || isOfMention)) return patient
  const url = deathUrl(base)
  return withOwnExtensions(patient, [url], isLast ? [] : [{ url, valueDateTime: saidAt }])
}
