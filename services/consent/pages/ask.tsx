import { faultOf } from '../../../packages/faults/fault.ts'
import { isReply, page } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, optional, text } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { Visit } from '../../../packages/sign-in/sign-in.ts'
import { admit, visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { namesByReference, searchPatients } from '../../../ports/fhir-store/find-people.ts'
import type { AccessRequest } from '../access-request.ts'
import { failedCall } from '../audit/failed-call.ts'
import { evaluate, type Asker } from '../evaluate.ts'
import { explain } from '../explain.ts'
import { identifiersIn, readQuestion } from '../question.ts'
import { dayIn } from '../today.ts'
import type { Answer } from './answer-view.tsx'
import { usualQuestion, type AskedValues } from './ask-form.tsx'
import { AskPage, type AskModel } from './ask-page.tsx'
import { pageRoute, type PageDeps } from './deps.ts'
import { facilityChoices } from './names-in.ts'
import { patientOf, patientParams } from './patient-of.ts'

const tags = ['Pages']

export const askPage = pageRoute({
  method: 'GET',
  path: '/ask',
  who: visiting,
  tags,
  summary: 'Puts a question together',
  input: { query: { search: text({ max: 200, optional: true }), patient: optional(patientParams.patient) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    const visitor = admit(caller, request, ['ADMIN'])
    if (isReply(visitor)) return visitor
    const { search = '', patient: id } = query
    const look = { store: deps.storeOf(visitor), now: deps.clock.now(), signal: request.signal }
    const [found, patient, facilities] = await Promise.all([
      searchPatients(search, look),
      id === undefined ? undefined : patientOf(id, visitor, request, deps),
      id === undefined ? [] : facilityChoices(look.store),
    ])
    const values = { ...usualQuestion, actor: visitor.caller.organisation ?? '' }
    return show({ search, found, patient, facilities, values }, visitor, deps)
  },
})

export const ask = pageRoute({
  method: 'POST',
  path: '/ask',
  who: visiting,
  tags,
  summary: 'Decides, explains the decision and writes down that it was asked',
  accepts: [formType],
  input: {
    body: object({
      ...patientParams,
      actor: text({ max: 256 }),
      device: text({ max: 256 }),
      resourceType: text({ max: 64 }),
      operation: text({ max: 64 }),
      purpose: text({ max: 64 }),
    }),
  },
  output: { 200: html, 302: nothing },
  onFault: ({ fault, request }, deps) => {
    // Nobody's form is read, so that all that can be told of it is that somebody asked.
    if (fault.kind === 'unauthenticated')
      deps.audit.add(failedCall(fault, askerOf(undefined, request), nothingAsked, deps.clock.now()))
  },
  run: async ({ body, caller, request }, deps) => {
    const { patient: id, ...values } = body
    return audited(id, values, caller, request, deps, async () => {
      const visitor = admit(caller, request, ['ADMIN'])
      if (isReply(visitor)) return visitor
      const question = readQuestion(queryOf(id, values), deps.resourceTypes)
      const [answer, patient, facilities] = await Promise.all([
        answerTo(question, visitor, request, deps),
        patientOf(id, visitor, request, deps),
        facilityChoices(deps.storeOf(visitor)),
      ])
      return show({ search: '', found: [], patient, facilities, values, answer }, visitor, deps)
    })
  },
})

function show(
  asked: Omit<AskModel, 'visitor' | 'addresses' | 'assetUrl' | 'resourceTypes'>,
  visitor: Visitor,
  deps: PageDeps,
) {
  const { addresses, assetUrl, resourceTypes } = deps
  return page(renderPage(<AskPage model={{ ...asked, visitor, addresses, assetUrl, resourceTypes }} />))
}

/** The decision is the one of every other road; the records are read once more to tell how each was checked. */
async function answerTo(
  question: AccessRequest,
  visitor: Visitor,
  request: IncomingRequest,
  deps: PageDeps,
): Promise<Answer> {
  const { candidates, settings } = deps
  const decision = await evaluate(question, askerOf(visitor, request), deps)
  const records = await candidates.read(question)
  const day = dayIn(settings.timeZone, decision.evaluatedAt)
  const explained = explain(records, question, day, settings.implicitPolicy)
  const references = [...question.actorReferences, ...records.map(({ actorReference }) => actorReference)]
  const nameOf = await namesByReference(references, { store: deps.storeOf(visitor) })
  const { counterfactuals } = explained
  return { question, decision, candidates: explained.candidates, counterfactuals, nameOf }
}

/** Whoever was refused, or could not put the question, has asked all the same. */
async function audited<Result>(
  id: string,
  values: AskedValues,
  visit: Visit,
  request: IncomingRequest,
  { audit, clock, resourceTypes }: PageDeps,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (thrown) {
    const { patientId, actorReference, resourceType, fhirOperation } = queryOf(id, values)
    const asked = identifiersIn(
      { patientId, actorReferences: actorReference, resourceType, fhirOperation },
      resourceTypes,
    )
    const asker = askerOf(visit.is === 'open' ? visit.visitor : undefined, request)
    audit.add(failedCall(faultOf(thrown), asker, asked, clock.now()))
    throw thrown
  }
}

const nothingAsked = { patientId: null, actorReferences: [], resourceType: null, operation: null }

const queryOf = (id: string, { actor, device, resourceType, operation, purpose }: AskedValues) => ({
  patientId: `Patient/${id}`,
  actorReference: [actor, device.trim()].filter((reference) => reference !== ''),
  resourceType,
  fhirOperation: operation,
  purposeOfUse: purpose,
})

const askerOf = (visitor: Visitor | undefined, request: IncomingRequest): Asker => ({
  subject: visitor?.caller.subject ?? null,
  clientId: visitor?.caller.clientId ?? null,
  peer: request.peer,
  requestId: request.id,
})
