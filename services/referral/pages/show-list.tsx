import { page, redirect } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { lastPageBefore, pagesOf, pageQuery, readPage, type PageRequest } from '../../../packages/http/page-envelope.ts'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { ownPatient } from '../../../packages/tokens/own-patient.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { chosenLanguage, rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import { byReference, namesByReference, patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../ports/fhir-store/unless-away.ts'
import { actorOf } from '../actions/call.ts'
import { recordListLook } from '../actions/record.ts'
import type { Actor, CountedReferral } from '../referral.ts'
import { organisationAsked } from '../same-receiver.ts'
import {
  countInbox,
  countReferralsOf,
  inboxOf,
  inboxStatuses,
  referralsBy,
  referralsOf,
} from '../store/referral-lists.ts'
import { openTasksOf } from '../store/tasks.ts'
import { readerOf, type Reader } from '../words/reader.ts'
import { pageRoute, type PageDeps } from './deps.ts'
import { ListPage, type ListModel, type ReferralRow } from './list-page.tsx'
import { askerOf, directoryFor, isPatient } from './people.ts'

const tags = ['Pages']
const inboxLimits = { defaultSize: 50, maxSize: 200 }

export const inboxPage = pageRoute({
  method: 'GET',
  path: '/',
  who: visiting('CLINICIAN', 'ADMIN', 'PATIENT'),
  tags,
  summary: 'The inbox of the visitor’s facility; a patient’s own referrals',
  input: { query: { ...pageQuery(inboxLimits), lang: chosenLanguage } },
  output: { 200: html, 302: nothing },
  run: async ({ caller: visitor, query, request }, deps) => {
    const wanted = readPage(query, inboxLimits)
    const actor = actorOf({ caller: visitor.caller, request })
    if (!isPatient(visitor)) return facilityInbox(visitor, wanted, actor, deps)
    const reader = readerOf(request, { address: request.url }, deps.signIn)
    return ownList(visitor, wanted, { actor, reader, headers: rememberLanguage(query.lang, deps.signIn) }, deps)
  },
})

interface OwnLook {
  readonly actor: Actor
  readonly reader: Reader
  readonly headers: Readonly<Record<string, string>>
}

async function ownList(visitor: Visitor, wanted: PageRequest, look: OwnLook, deps: PageDeps) {
  const { actor, reader, headers } = look
  const patientId = ownPatient(visitor.caller)
  if (patientId === undefined) return show({ here: 'own', rows: [], reader }, visitor, deps, headers)
  const [referrals, total] = await Promise.all([
    referralsOf(patientId, wanted.offset, wanted.size, deps.database),
    countReferralsOf(patientId, deps.database),
    recordListLook({ list: 'patient', patientId, actor }, deps),
  ])
  const pages = pagesOf(wanted, total)
  const rows = await rowsOf(referrals, visitor, deps)
  return toLastPage('/', pages) ?? show({ here: 'own', ...rows, page: pages, reader }, visitor, deps, headers)
}

async function facilityInbox(visitor: Visitor, wanted: PageRequest, actor: Actor, deps: PageDeps) {
  const { organisation } = visitor.caller
  if (organisation === undefined) return show({ here: 'inbox', rows: [] }, visitor, deps)
  const owner = { organisation, clientIds: deps.facilities.clientIdsOf(organisation) }
  const [referrals, { total, unread }] = await Promise.all([
    inboxOf(owner, inboxStatuses, wanted.offset, wanted.size, deps.database),
    countInbox(owner, deps.database),
    recordListLook({ list: `inbox ${organisation}`, actor }, deps),
  ])
  const pages = pagesOf(wanted, total)
  const rows = await rowsOf(referrals, visitor, deps)
  return toLastPage('/', pages) ?? show({ here: 'inbox', ...rows, unread, page: pages }, visitor, deps)
}

export const minePage = pageRoute({
  method: 'GET',
  path: '/mine',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'The referrals that the visitor made',
  input: { query: pageQuery() },
  output: { 200: html, 302: nothing },
  run: async ({ caller: visitor, query, request }, deps) => {
    const wanted = readPage(query)
    const [{ referrals, total }] = await Promise.all([
      referralsBy(visitor.caller.subject, wanted, deps.database),
      recordListLook({ list: 'mine', actor: actorOf({ caller: visitor.caller, request }) }, deps),
    ])
    const pages = pagesOf(wanted, total)
    const rows = await rowsOf(referrals, visitor, deps)
    return toLastPage('/mine', pages) ?? show({ here: 'mine', ...rows, page: pages }, visitor, deps)
  },
})

/** Who turns to a page that is no longer there must not read that nothing waits. */
export function toLastPage(path: string, pages: ReturnType<typeof pagesOf>) {
  const last = lastPageBefore(pages)
  return last === undefined ? undefined : redirect(302, `${path}?page=${last}&size=${pages.size}`)
}

type Shown = Pick<ListModel, 'here' | 'rows' | 'page' | 'unread' | 'reader' | 'patient' | 'areNamesAway'>

export const show = (list: Shown, visitor: Visitor, { addresses, assetUrl }: PageDeps, headers = {}) =>
  page(renderPage(<ListPage model={{ ...list, visitor, addresses, assetUrl }} />), { headers })

/** Names and open work of all rows in four round trips, however many there are; without the names while nobody tells them. */
export async function rowsOf(
  referrals: readonly CountedReferral[],
  visitor: Visitor,
  deps: PageDeps,
): Promise<{ readonly rows: readonly ReferralRow[]; readonly areNamesAway: boolean }> {
  if (referrals.length === 0) return { rows: [], areNamesAway: false }
  const toOf = (referral: CountedReferral) => organisationAsked(referral, deps.facilities)
  const [names, openTasks] = await Promise.all([
    unlessAway(() =>
      Promise.all([
        patientsByReference(
          referrals.map(({ patientId }) => patientId),
          { store: deps.storeOf(visitor), now: deps.clock.now() },
        ),
        namesByReference(
          referrals.flatMap((referral) => [askerOf(referral), toOf(referral)]),
          { store: directoryFor(visitor, deps) },
        ),
      ]),
    ),
    openTasksOf(
      referrals.map(({ id }) => id),
      deps.database,
    ),
  ])
  const [patients, nameOf] = names ?? [new Map<string, ShownPatient>(), byReference]
  const rows = referrals.map((referral) => ({
    referral,
    patient: patients.get(referral.patientId),
    from: nameOf(askerOf(referral)),
    to: nameOf(toOf(referral)),
    openTask: openTasks.get(referral.id),
  }))
  return { rows, areNamesAway: names === undefined }
}
