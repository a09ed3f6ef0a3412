import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { byReference, patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../ports/fhir-store/unless-away.ts'
import type { LoggedEvent } from '../store/recent-events.ts'
import type { NameOf } from './consent-sentence.tsx'
import type { PageDeps } from './deps.ts'
import { namesIn } from './names-in.ts'

type Row = Pick<LoggedEvent, 'subject' | 'patientId' | 'actorReferences'>

/** What to call everybody whom rows of the log name, as far as their reader may know it. */
export async function peopleIn(
  rows: readonly Row[],
  visitor: Visitor,
  { signal }: Pick<IncomingRequest, 'signal'>,
  deps: PageDeps,
): Promise<{ readonly nameOf: NameOf; readonly areNamesAway: boolean }> {
  // Clinicians and patients are called by the ids of their resources; programs are not in the store.
  const subjects = rows.flatMap(({ subject }) => (subject !== null && isFhirId(subject) ? [subject] : []))
  const patientIds = rows.flatMap(({ patientId }) => (patientId === null ? [] : [patientId]))
  const named = [
    ...rows.flatMap(({ actorReferences }) => actorReferences.map((actorReference) => ({ actorReference }))),
    ...subjects.map((createdBy) => ({ actorReference: null, createdBy })),
  ]
  const found = await unlessAway(() =>
    Promise.all([
      namesIn(named, visitor, deps),
      patientsByReference([...patientIds, ...subjects.map((id) => `Patient/${id}`)], {
        ...{ store: deps.storeOf(visitor), now: deps.clock.now(), signal },
      }),
    ]),
  )
  const [names, patients] = found ?? [byReference, new Map()]
  const nameOf: NameOf = (reference) => patients.get(reference ?? '')?.name ?? names(reference)
  return { nameOf, areNamesAway: found === undefined }
}
