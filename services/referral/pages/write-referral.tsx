import { isDeepStrictEqual } from 'node:util'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { fhirId, optional, text, uuid } from '../../../packages/http/fields.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import { namesByReference, searchPatients } from '../../../ports/fhir-store/find-people.ts'
import { survivorOf } from '../../../ports/patient-index/merges/merge-table.ts'
import { createByForm } from '../actions/create-referral.ts'
import { previewGate } from '../actions/preview-gate.ts'
import { existingReferral } from '../actions/reach-referral.ts'
import { organisationAsked } from '../same-receiver.ts'
import { madeBy } from '../store/kept-forms.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { pageRoute } from './deps.ts'
import { DraftForm, emptyDraft, formOf, readDraft } from './draft-form.ts'
import { FindPage } from './find-page.tsx'
import { consentsOf, GateView, NobodyYet } from './gate-view.tsx'
import { keepAnew } from './keep-anew.ts'
import { patientField, readReceiver, chosenReceiver, requesterOf, sharedTypes } from './people.ts'
import { showDraft } from './show-draft.tsx'

const tags = ['Pages']
/** As a form leaves it behind: whoever changed it since is not written over. */
const firstVersion = 1

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
      /** The form that was shown here before. */
      form: optional(uuid()),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { search = '', patient, form = deps.ids.uuid() } = query
    if (patient !== undefined) {
      const { subject } = visitor.caller
      const made = query.form === undefined ? undefined : await madeBy({ form, by: subject }, deps.database)
      // Who goes back to a form that was kept goes on with what it made.
      if (made !== undefined) return redirect(302, `/referrals/${made}/change`)
      const survivor = await survivorOf(`Patient/${patient}`, mergeTables, deps.database)
      const id = survivor.replace(/^Patient\//, '')
      // Nothing is begun with a record that was merged away: whoever reads its banner would write about another.
      if (id !== patient) return redirect(302, `/new?patient=${encodeURIComponent(id)}`)
      const values = { ...emptyDraft(`Patient/${patient}`), form }
      return showDraft({ values, fields: [] }, visitor, request, deps)
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
    const organisation = organisationAsked(to, deps.facilities)
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
    const requesterId = requesterOf(caller)
    // The page says so in the place of the form.
    if (requesterId === undefined) return showDraft({ values, fields: [] }, visitor, request, deps)
    const read = readDraft(values, requesterId, { resourceTypes: deps.resourceTypes, now: deps.clock.now() })
    if (read.is === 'wrong') return showDraft({ values, fields: read.fields }, visitor, request, deps)
    const { draft } = read
    const { form = deps.ids.uuid() } = values
    const { id, isNew } = await createByForm(form, draft, { caller, request }, deps)
    if (isNew) return redirect(303, `/referrals/${id}`)
    const kept = await existingReferral(id, deps.database)
    if (isDeepStrictEqual(formOf(draft), formOf(kept))) return redirect(303, `/referrals/${id}`)
    return keepAnew({ id, version: firstVersion, values, draft }, visitor, request, deps)
  },
})
