import { missing } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { fhirId, optional, text } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import { namesByReference, patientsByReference, searchPatients } from '../../../ports/fhir-store/find-people.ts'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import { createReferral } from '../actions/create-referral.ts'
import { previewGate } from '../actions/preview-gate.ts'
import { pageRoute, type PageDeps } from './deps.ts'
import { DraftForm, emptyDraft, readDraft } from './draft-form.ts'
import { DraftPage, type DraftModel } from './draft-page.tsx'
import { FindPage } from './find-page.tsx'
import { consentsOf, GateView, NobodyYet } from './gate-view.tsx'
import { receiverChoices, patientField, readReceiver, chosenReceiver, sharedTypes } from './people.ts'

const tags = ['Pages']

export const newPage = pageRoute({
  method: 'GET',
  path: '/new',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Finds a patient and writes a referral',
  input: {
    query: {
      search: text({ max: 200, optional: true }),
      patient: optional(fhirId()),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { search = '', patient } = query
    if (patient !== undefined) {
      return showDraft({ values: emptyDraft(`Patient/${patient}`), fields: [] }, visitor, request, deps)
    }
    const { addresses, assetUrl, clock } = deps
    const look = { store: deps.storeOf(visitor), now: clock.now(), signal: request.signal }
    const found = await searchPatients(search, look)
    return page(renderPage(<FindPage model={{ visitor, addresses, assetUrl, search, ...found }} />))
  },
})

export const gateFragment = pageRoute({
  method: 'GET',
  path: '/new/gate',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'What the consent gate would say of a referral that is being written',
  input: {
    query: {
      patientId: patientField,
      receivingFacilityClientId: chosenReceiver,
      sharedResourceTypes: optional(sharedTypes),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    if (query.receivingFacilityClientId === '') return page(renderFragment(<NobodyYet />))
    const to = readReceiver(query.receivingFacilityClientId)
    const sharedResourceTypes = (query.sharedResourceTypes ?? []).filter((type) => deps.resourceTypes.has(type))
    const shared = { patientId: query.patientId, sharedResourceTypes, supportingInfo: [], ...to }
    const organisation = to.performerId ?? `Organization/${to.receivingFacilityClientId}`
    const [gate, nameOf] = await Promise.all([
      previewGate(shared, { caller: visitor.caller, request }, deps),
      namesByReference([organisation], { store: deps.storeOf(visitor) }),
    ])
    const consentsAt = consentsOf(shared.patientId, deps.addresses)
    return page(renderFragment(<GateView gate={gate} to={nameOf(organisation)} consentsAt={consentsAt} />))
  },
})

export const keepDraft = pageRoute({
  method: 'POST',
  path: '/new',
  who: writing('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Keeps a referral as a draft, or says what is wrong with it',
  accepts: [formType],
  input: { body: DraftForm },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ body: values, caller: visitor, request }, deps) => {
    const { caller } = visitor
    const requesterId = caller.fhirUser ?? `Practitioner/${caller.subject}`
    const read = readDraft(values, requesterId, { resourceTypes: deps.resourceTypes, now: deps.clock.now() })
    if (read.is === 'wrong') return showDraft({ values, fields: read.fields }, visitor, request, deps)
    const { id } = await createReferral(read.draft, { caller, request }, deps)
    return redirect(303, `/referrals/${id}`)
  },
})

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
