import { Fault } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, oneOf, optional } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { chosenLanguage, rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import { byReference, namesByReference, patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../ports/fhir-store/unless-away.ts'
import { changeStatus } from '../actions/change-status.ts'
import { filled } from '../actions/filled.ts'
import { moveTask } from '../actions/move-task.ts'
import { existingReferral } from '../actions/reach-referral.ts'
import { rerouteReferral } from '../actions/reroute-referral.ts'
import type { SeenVersions } from '../actions/seen-version.ts'
import { sendReferral } from '../actions/send-referral.ts'
import { availableActions, availableMoves, offeredActions, steps } from '../available-actions.ts'
import { askConsentGate } from '../consent-gate.ts'
import type { CountedReferral, ReferralEvent, ReferralTask } from '../referral.ts'
import { referralIdOf, referralParams, taskIdOf, taskParams } from '../routes/fields.ts'
import { seenReferral } from '../routes/visible-referral.ts'
import { organisationAsked, type Receiver } from '../same-receiver.ts'
import { eventsOf } from '../store/events.ts'
import { tasksOf } from '../store/tasks.ts'
import { taskStatuses } from '../transitions.ts'
import { readerOf } from '../words/reader.ts'
import { askedOfAction, textOfMove, formOfAction, formOfMove, nobodyChosen, wrongIn } from './asked-fields.ts'
import { pageRoute, type PageDeps } from './deps.ts'
import { seenVersion, typed } from './draft-form.ts'
import { otherFacilities } from './other-facilities.ts'
import { chosenReceiver, directoryFor, readReceiver } from './people.ts'
import { ReferralPage, type NotTaken, type ReferralModel } from './referral-page.tsx'

const tags = ['Pages']

export const referralPage = pageRoute({
  method: 'GET',
  path: '/referrals/:id',
  who: visiting('CLINICIAN', 'ADMIN', 'PATIENT'),
  tags,
  summary: 'One referral, with what the visitor can do about it',
  input: {
    params: referralParams,
    query: { done: optional(oneOf([...offeredActions, ...taskStatuses])), lang: chosenLanguage },
  },
  output: { 200: html, 302: nothing },
  run: async ({ params, query, caller, request }, deps) => {
    const done = query.done === undefined ? {} : { done: query.done }
    const headers = rememberLanguage(query.lang, deps.signIn)
    return page(await referralMarkup(params, caller, request, deps, done), { headers })
  },
})

async function referralMarkup(
  params: { readonly id: string },
  visitor: Visitor,
  request: IncomingRequest,
  deps: PageDeps,
  { done, notTaken }: Pick<ReferralModel, 'done' | 'notTaken'> = {},
): Promise<string> {
  const { caller } = visitor
  const referral = await seenReferral(params, { caller, request }, deps)
  const [tasks, history] = await Promise.all([
    tasksOf(referral.id, deps.database),
    eventsOf(referral.id, deps.database),
  ])
  const all = availableActions(referral, caller, deps)
  const strictly = { ...deps, partyRules: deps.partyRules === 'off' ? 'off' : 'strict' } as const
  const actions = availableActions(referral, caller, strictly)
  const store = deps.storeOf(visitor)
  const [shown, gate, facilities] = await Promise.all([
    namesIn(receiverIn(notTaken), referral, tasks, history, visitor, deps),
    all.includes('send') ? askConsentGate(referral, deps, request.trace) : undefined,
    all.includes('reroute')
      ? unlessAway(() =>
          otherFacilities({ referral, tasks }, referral.sendingOrganisation ?? caller.organisation, { ...deps, store }),
        )
      : [],
  ])
  const model = {
    ...{ visitor, addresses: deps.addresses, assetUrl: deps.assetUrl },
    reader: readerOf(request, { roles: caller.roles, address: request.url }, deps.signIn),
    ...{ referral, history, actions, actionsInstead: without(actions, all), facilities: facilities ?? [], ...shown },
    tasks: tasks.map((task) => {
      const moves = availableMoves(task, referral, caller, strictly)
      return { task, moves, movesInstead: without(moves, availableMoves(task, referral, caller, deps)) }
    }),
    ...(gate === undefined ? {} : { gate }),
    ...(notTaken === undefined ? {} : { notTaken }),
    ...(done === undefined ? {} : { done }),
  }
  return renderPage(<ReferralPage model={model} />)
}

const without = <Step,>(own: readonly Step[], all: readonly Step[]) => all.filter((step) => !own.includes(step))

const receiverIn = (notTaken: NotTaken | undefined) =>
  notTaken?.is === 'refused' ? notTaken.asked?.receiver : undefined

async function namesIn(
  also: Receiver | undefined,
  referral: CountedReferral,
  tasks: readonly ReferralTask[],
  history: readonly ReferralEvent[],
  visitor: Visitor,
  deps: PageDeps,
) {
  const referenceOf = (receiver: Receiver) => organisationAsked(receiver, deps.facilities)
  const receivers = [referral, ...tasks, ...(also === undefined ? [] : [also])].map(referenceOf)
  const names = await unlessAway(() =>
    Promise.all([
      patientsByReference([referral.patientId], { store: deps.storeOf(visitor), now: deps.clock.now() }),
      namesByReference(
        [
          ...receivers,
          ...history.map(({ actorOrganisation }) => actorOrganisation),
          ...[referral.sendingOrganisation, referral.requesterId],
        ],
        { store: directoryFor(visitor, deps) },
      ),
    ]),
  )
  const [patients, nameOf] = names ?? [new Map<string, ShownPatient>(), byReference]
  const nameOfReceiver = (receiver: Receiver) => nameOf(referenceOf(receiver))
  return { patient: patients.get(referral.patientId), nameOf, nameOfReceiver, areNamesAway: names === undefined }
}

export const takeStep = pageRoute({
  method: 'POST',
  path: '/referrals/:id/:step',
  who: writing('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Sends, holds, resumes, revokes or re-routes a referral',
  accepts: [formType],
  input: {
    params: { ...referralParams, step: oneOf(steps) },
    body: object({
      reason: optional(typed),
      version: optional(seenVersion),
      receivingFacilityClientId: optional(chosenReceiver),
    }),
  },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ params, body, caller: visitor, request }, deps) => {
    const id = referralIdOf(params)
    const call = { caller: visitor.caller, request }
    const reason = filled(body.reason ?? null)
    const receiver = readReceiver(body.receivingFacilityClientId ?? '')
    const isNobody = params.step === 'reroute' && receiver.receivingFacilityClientId === ''
    const form = formOfAction(params.step)
    const wrong = isNobody ? nobodyChosen(form) : wrongIn(form, askedOfAction[params.step], body.reason)
    if (wrong !== undefined) return notTaken({ is: 'wrong', wrong }, params, visitor, request, deps)
    const seen = seenIn(body)
    const step = async () => {
      if (params.step === 'send') return sendReferral(id, call, deps, seen)
      if (params.step === 'reroute') return rerouteReferral(id, receiver, call, deps, seen)
      return changeStatus(params.step, id, reason, call, deps, seen)
    }
    const end = await endOf(step)
    if (end === 'taken') return redirect(303, `/referrals/${id}?done=${params.step}`)
    if (end === 'late') return notTaken({ is: 'late', wrote: reason }, params, visitor, request, deps)
    // What stands in the way of a draft its page says anyway.
    const asked = params.step === 'reroute' ? await askedOf(id, receiver, request, deps) : undefined
    return notTaken({ is: 'refused', asked }, params, visitor, request, deps)
  },
})

/** A page that was opened before its forms had versions sends none: then what counts is what the step needs. */
const seenIn = ({ version }: { readonly version?: string }): SeenVersions =>
  version === undefined ? undefined : [Number(version)]

export const takeTaskStep = pageRoute({
  method: 'POST',
  path: '/referrals/:id/tasks/:taskId',
  who: writing('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Moves the work of the receiving facility on',
  accepts: [formType],
  input: {
    params: taskParams,
    body: object({
      status: oneOf(taskStatuses),
      version: optional(seenVersion),
      note: optional(typed),
      rejectionReason: optional(typed),
    }),
  },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ params, body, caller: visitor, request }, deps) => {
    const ids = { referralId: referralIdOf(params), taskId: taskIdOf(params) }
    const { status, note = null, rejectionReason = null } = body
    const asked = textOfMove(status)
    const said = asked.name === 'rejectionReason' ? { note: null, rejectionReason } : { note, rejectionReason: null }
    const wrong = wrongIn(formOfMove(ids.taskId, status), asked, said.rejectionReason ?? said.note ?? '')
    if (wrong !== undefined) return notTaken({ is: 'wrong', wrong }, params, visitor, request, deps)
    const wanted = { status, ...said }
    const step = () => moveTask(ids, wanted, { caller: visitor.caller, request }, deps, seenIn(body))
    if ((await endOf(step)) === 'taken') return redirect(303, `/referrals/${ids.referralId}?done=${status}`)
    return notTaken({ is: 'late', wrote: note ?? rejectionReason }, params, visitor, request, deps)
  },
})

/**
 * Late is what came after the referral had changed, refused what the consent gate stopped. The API says both in statuses;
 * people see the page.
 */
export async function endOf(step: () => Promise<unknown>): Promise<'taken' | NotTaken['is']> {
  try {
    await step()
    return 'taken'
  } catch (thrown) {
    const end = thrown instanceof Fault ? ends.get(thrown.code ?? '') : undefined
    if (end === undefined) throw thrown
    return end
  }
}

const ends: ReadonlyMap<string, NotTaken['is']> = new Map([
  ['INVALID_TRANSITION', 'late'],
  ['CONSENT_GATE_FAILED', 'refused'],
])

/** What the gate says of a facility that the referral does not name. */
async function askedOf(id: number, receiver: Receiver, { trace }: IncomingRequest, deps: PageDeps) {
  const referral = await existingReferral(id, deps.database)
  return { gate: await askConsentGate({ ...referral, ...receiver }, deps, trace), receiver }
}

export const notTaken = async (
  why: NotTaken,
  ...shown: [{ readonly id: string }, Visitor, IncomingRequest, PageDeps]
) => page(await referralMarkup(...shown, { notTaken: why }))
