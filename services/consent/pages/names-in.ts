import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { byReference, namesByReference } from '../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../ports/fhir-store/unless-away.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import type { NameOf } from './consent-sentence.tsx'
import type { PageDeps } from './deps.ts'

type Named = Pick<ConsentRecord, 'actorReference'> & Partial<Pick<ConsentRecord, 'organisationId' | 'createdBy'>>

/** What to call the facilities that these records name, for a patient. */
export function facilitiesIn(records: readonly Named[], visitor: Visitor, deps: PageDeps): Promise<NameOf> {
  const references = records.flatMap(({ actorReference, organisationId }) => [actorReference, organisationId])
  return namesByReference(references, { store: deps.registry ?? deps.storeOf(visitor) })
}

/** What to call everybody whom these records name. */
export function namesIn(records: readonly Named[], visitor: Visitor, { storeOf }: PageDeps): Promise<NameOf> {
  const references = records.flatMap(({ actorReference, organisationId, createdBy }) => [
    actorReference,
    organisationId,
    // A subject of another identity provider may be anything; only an id can be asked for.
    createdBy !== undefined && isFhirId(createdBy) ? `Practitioner/${createdBy}` : null,
  ])
  return namesByReference(references, { store: storeOf(visitor) })
}

/** The names, or without the store the references and that they are. */
export async function ifNamed(
  look: () => Promise<NameOf>,
): Promise<{ readonly nameOf: NameOf; readonly areNamesAway: boolean }> {
  const nameOf = await unlessAway(look)
  return { nameOf: nameOf ?? byReference, areNamesAway: nameOf === undefined }
}
