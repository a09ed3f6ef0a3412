import { missing } from '../../../packages/faults/fault.ts'
import { page } from '../../../packages/http/answer.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { renderPage } from '../../../packages/views/render.ts'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import { patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import type { PageDeps } from './deps.ts'
import { DraftPage, type DraftModel } from './draft-page.tsx'
import { readReceiver, receiverChoices } from './people.ts'

/** The form of a draft, new or changed, as a page. */
export async function showDraft(
  said: Pick<DraftModel, 'values' | 'fields' | 'changed'>,
  visitor: Visitor,
  request: IncomingRequest,
  deps: PageDeps,
) {
  const { addresses, assetUrl, clock } = deps
  const { patientId } = said.values
  const store = deps.storeOf(visitor)
  const [patients, facilities] = await Promise.all([
    patientsByReference([patientId], { store, now: clock.now(), signal: request.signal }),
    receiverChoices(visitor.caller.organisation, { ...deps, store }),
  ])
  const patient = patients.get(patientId)
  if (patient === undefined) throw missing('There is no such patient.')
  const chosen = choiceOf(said.values.receivingFacilityClientId, facilities)
  const model = {
    ...{ ...said, visitor, addresses, assetUrl, patient },
    values: { ...said.values, receivingFacilityClientId: chosen },
    facilities: withChosen(chosen, facilities),
  }
  return page(renderPage(<DraftPage model={model} />))
}

/** Who is named by the client id alone is on the list with the organisation. */
const choiceOf = (chosen: string, facilities: readonly FacilityChoice[]): string =>
  facilities.find(({ value }) => readReceiver(value).receivingFacilityClientId === chosen)?.value ?? chosen

/** A program may have written to somebody who is not on the list: a change of something else does not lose them. */
const withChosen = (chosen: string, facilities: readonly FacilityChoice[]): readonly FacilityChoice[] =>
  chosen === '' || facilities.some(({ value }) => value === chosen)
    ? facilities
    : [...facilities, { value: chosen, label: chosen.replace(/^.* /, '') }]
