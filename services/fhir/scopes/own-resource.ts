import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'

/** A resource on this server. */
export interface OwnResource {
  readonly type: string
  readonly id: string
}

const people: ReadonlySet<string> = new Set(['Patient', 'Person', 'Practitioner', 'PractitionerRole', 'RelatedPerson'])

/** Who the caller is in the record; undefined for programs, and for people whose record is kept elsewhere. */
export function ownResource(
  { fhirUser }: Pick<Caller, 'fhirUser'>,
  ownBases: readonly string[],
): OwnResource | undefined {
  if (fhirUser === undefined) return undefined
  const base = ownBases.find((own) => fhirUser.startsWith(`${own}/`))
  const [type = '', id = '', ...more] = (base === undefined ? fhirUser : fhirUser.slice(base.length + 1)).split('/')
  // What a token says goes into conditions, so it has to be an id and nothing else.
  return people.has(type) && isFhirId(id) && more.length === 0 ? { type, id } : undefined
}
