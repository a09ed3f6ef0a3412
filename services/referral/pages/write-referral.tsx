import { missing } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { list, object, oneOf, optional, text } from '../../../packages/http/fields.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import { namesByReference, patientsByReference, searchPatients } from '../../../ports/fhir-store/find-people.ts'
import { createReferral } from '../actions/create-referral.ts'
import { askConsentGate } from '../consent-gate.ts'
import { priorities } from '../referral.ts'
import { draftOf } from '../routes/draft-of.ts'
import { pageRoute } from './deps.ts'
import { consentsOf, GateView } from './gate-view.tsx'
import { NewPage } from './new-page.tsx'
import { facilityChoices, readReceiver } from './people.ts'

const tags = ['Pages']
const patientField = text({ pattern: /^Patient\/[A-Za-z0-9.-]{1,64}$/, says: 'must be a patient' })
const receiver = text({ min: 1, max: 300 })
const sharedTypes = list(text({ max: 64 }), { max: 20 })

export const newPage = pageRoute({
  method: 'GET',
  path: '/new',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Finds a patient and writes a referral',
  input: {
    query: {
      search: text({ max: 200, optional: true }),
      patient: text({ pattern: /^[A-Za-z0-9.-]{1,64}$/, says: 'must be a FHIR id', optional: true }),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const store = deps.storeOf(visitor)
    const look = { store, now: deps.clock.now(), signal: request.signal }
    const { search = '', patient: id } = query
    const reference = `Patient/${id}`
    const [found, chosen, facilities] = await Promise.all([
      searchPatients(search, look),
      id === undefined ? undefined : patientsByReference([reference], look),
      id === undefined ? [] : facilityChoices(visitor.caller.organisation, { ...deps, store }),
    ])
    const patient = chosen?.get(reference)
    if (id !== undefined && patient === undefined) throw missing('There is no such patient.')
    const { addresses, assetUrl } = deps
    return page(renderPage(<NewPage model={{ visitor, addresses, assetUrl, search, found, patient, facilities }} />))
  },
})

export const gateFragment = pageRoute({
  method: 'GET',
  path: '/new/gate',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'What the consent gate would say of a referral that is being written',
  input: {
    query: { patientId: patientField, receivingFacilityClientId: receiver, sharedResourceTypes: optional(sharedTypes) },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const to = readReceiver(query.receivingFacilityClientId)
    const sharedResourceTypes = (query.sharedResourceTypes ?? []).filter((type) => deps.resourceTypes.has(type))
    const shared = { patientId: query.patientId, sharedResourceTypes, ...to }
    const organisation = to.performerId ?? `Organization/${to.receivingFacilityClientId}`
    const [gate, nameOf] = await Promise.all([
      askConsentGate(shared, deps, request.trace),
      namesByReference([organisation], { store: deps.storeOf(visitor) }),
    ])
    const consentsAt = consentsOf(shared.patientId, deps.addresses)
    return page(renderFragment(<GateView gate={gate} to={nameOf(organisation)} consentsAt={consentsAt} />))
  },
})

export const keepDraft = pageRoute({
  method: 'POST',
  path: '/new',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Keeps a referral as a draft',
  accepts: [formType],
  input: {
    body: object({
      patientId: patientField,
      receivingFacilityClientId: receiver,
      referralDisplay: text({ min: 1, max: 128 }),
      priority: optional(oneOf(priorities)),
      occurrenceDate: text({ max: 10, optional: true }),
      reasonCodes: text({ max: 500, optional: true }),
      clinicalNote: text({ max: 2_048, optional: true }),
      sharedResourceTypes: optional(sharedTypes),
    }),
  },
  output: { 303: nothing },
  run: async ({ body, caller: visitor, request }, deps) => {
    const { caller } = visitor
    const { patientId, referralDisplay, priority = 'ROUTINE' } = body
    const draft = draftOf(
      {
        ...{ patientId, referralDisplay, priority, ...readReceiver(body.receivingFacilityClientId) },
        requesterId: caller.fhirUser ?? `Practitioner/${caller.subject}`,
        occurrenceDate: filled(body.occurrenceDate),
        clinicalNote: filled(body.clinicalNote),
        reasonCodes: (body.reasonCodes ?? '')
          .split(',')
          .map((code) => code.trim())
          .filter((code) => code !== ''),
        sharedResourceTypes: body.sharedResourceTypes ?? [],
      },
      deps.resourceTypes,
    )
    const { id } = await createReferral(draft, { caller, request }, deps)
    return redirect(303, `/referrals/${id}`)
  },
})

/** A form sends what was left empty as an empty text. */
const filled = (given: string | undefined): string | null => (given === undefined || given.trim() === '' ? null : given)
