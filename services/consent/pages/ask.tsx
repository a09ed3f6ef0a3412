import { incorrect } from '../../../packages/faults/fault.ts'
import { page } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, optional, text } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { FailedRequest } from '../../../packages/http/route.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting, visitorIn, writing } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { facilityChoices } from '../../../ports/fhir-store/facility-choices.ts'
import { namesByReference, searchPatients } from '../../../ports/fhir-store/find-people.ts'
import type { AccessRequest } from '../access-request.ts'
import { failedCall } from '../audit/failed-call.ts'
import { askerOf, evaluate } from '../evaluate.ts'
import { explain } from '../explain.ts'
import { identifiersIn, readQuestion } from '../question.ts'
import { appReference, isActorReference } from '../record/references.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import type { Answer } from './answer-view.tsx'
import { usualQuestion, type AskedValues } from './ask-form.tsx'
import { AskPage, type AskModel } from './ask-page.tsx'
import { pageRoute, type PageDeps } from './deps.ts'
import { patientOf, patientParams } from './patient-of.ts'

const tags = ['Pages']

export const askPage = pageRoute({
  method: 'GET',
  path: '/ask',
  who: visiting('ADMIN'),
  tags,
  summary: 'Puts a question together',
  input: { query: { search: text({ max: 200, optional: true }), patient: optional(patientParams.patient) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { search = '', patient: id } = query
    const look = { store: deps.storeOf(visitor), now: deps.clock.now(), signal: request.signal }
    const [found, patient, facilities] = await Promise.all([
      searchPatients(search, look),
      id === undefined ? undefined : patientOf(id, visitor, request, deps),
      id === undefined ? [] : facilityChoices(look.store),
    ])
    const values = { ...usualQuestion, actor: visitor.caller.organisation ?? '' }
    return show({ search, ...found, patient, facilities, values }, visitor, deps)
  },
})

export const ask = pageRoute({
  method: 'POST',
  path: '/ask',
  who: writing('ADMIN'),
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
  output: { 200: html, 307: nothing },
  onFault: auditFailure,
  run: async ({ body, caller: visitor, request }, deps) => {
    const { patient: id, ...values } = body
    const shown = async () => {
      const [patient, facilities] = await Promise.all([
        patientOf(id, visitor, request, deps),
        facilityChoices(deps.storeOf(visitor)),
      ])
      return { search: '', found: [], hasMore: false, patient, facilities, values }
    }
    if (!isDeviceOrNone(values.device)) {
      auditFailure({ fault: incorrect('The device must be the id of a Device.'), caller: visitor, request }, deps)
      return show({ ...(await shown()), isDeviceWrong: true }, visitor, deps)
    }
    const question = readQuestion(queryOf(id, values), deps.resourceTypes)
    const [answer, asked] = await Promise.all([answerTo(question, visitor, request, deps), shown()])
    return show({ ...asked, answer }, visitor, deps)
  },
})

/** The only thing of a question that is typed. */
const isDeviceOrNone = (device: string): boolean =>
  device.trim() === '' || isActorReference(appReference(device.trim()))

function show(
  asked: Omit<AskModel, 'visitor' | 'addresses' | 'assetUrl' | 'resourceTypes'>,
  visitor: Visitor,
  deps: PageDeps,
) {
  const { addresses, assetUrl, resourceTypes } = deps
  return page(renderPage(<AskPage model={{ ...asked, visitor, addresses, assetUrl, resourceTypes }} />))
}

/** The decision is the one of every other road; the records that it looked at tell how each was checked. */
async function answerTo(
  question: AccessRequest,
  visitor: Visitor,
  request: IncomingRequest,
  deps: PageDeps,
): Promise<Answer> {
  const { settings } = deps
  const { records, ...decision } = await evaluate(question, askerOf(visitor.caller, request), deps)
  const day = dayIn(settings.timeZone, decision.evaluatedAt)
  const explained = explain(records, question, day, settings.implicitPolicy)
  const references = [...question.actorReferences, ...records.map(({ actorReference }) => actorReference)]
  const nameOf = await namesByReference(references, { store: deps.storeOf(visitor) })
  const { counterfactuals } = explained
  return { question, decision, candidates: explained.candidates, counterfactuals, nameOf }
}

/** The form of whom the page is not for is not read: all that can be told is that they asked. */
function auditFailure({ fault, caller, request }: FailedRequest, { audit, clock, resourceTypes }: PageDeps): void {
  const form = new URLSearchParams(Buffer.from(request.rawBody ?? []).toString())
  const asked = {
    patientId: `Patient/${form.get('patient') ?? ''}`,
    actorReferences: actorsIn({ actor: form.get('actor') ?? '', device: form.get('device') ?? '' }),
    resourceType: form.get('resourceType'),
    fhirOperation: form.get('operation'),
  }
  audit.add(
    failedCall(fault, askerOf(visitorIn(caller)?.caller, request), identifiersIn(asked, resourceTypes), clock.now()),
  )
}

const queryOf = (id: string, { actor, device, resourceType, operation, purpose }: AskedValues) => ({
  patientId: `Patient/${id}`,
  actorReference: actorsIn({ actor, device }),
  resourceType,
  fhirOperation: operation,
  purposeOfUse: purpose,
})

function actorsIn({ actor, device }: Pick<AskedValues, 'actor' | 'device'>): readonly string[] {
  const app = device.trim()
  return [actor, app === '' ? '' : appReference(app)].filter((reference) => reference !== '')
}
