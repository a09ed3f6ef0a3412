import { page } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { pagesOf, pageQuery, readPage } from '../../../packages/http/page-envelope.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { namesByReference, patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import type { CountedReferral } from '../referral.ts'
import { inboxOf, referralsBy, referralsOf } from '../store/referral-lists.ts'
import { openTaskStatusOf } from '../store/tasks.ts'
import { pageRoute, type PageDeps } from './deps.ts'
import { ListPage, type ListModel, type ReferralRow } from './list-page.tsx'

const inboxMax = 200
const tags = ['Pages']

export const inboxPage = pageRoute({
  method: 'GET',
  path: '/',
  who: visiting('CLINICIAN', 'ADMIN', 'PATIENT'),
  tags,
  summary: 'The inbox of the visitor’s facility; a patient’s own referrals',
  output: { 200: html, 302: nothing },
  run: async ({ caller: visitor }, deps) => {
    const { roles, organisation, subject } = visitor.caller
    const isPatient = !roles.has('CLINICIAN') && !roles.has('ADMIN')
    const referrals = isPatient
      ? await referralsOf(`Patient/${subject}`, 0, inboxMax, deps.database)
      : organisation === undefined
        ? []
        : await inboxOf({ performerId: organisation }, 0, inboxMax, deps.database)
    return show({ here: isPatient ? 'own' : 'inbox', rows: await rowsOf(referrals, visitor, deps) }, visitor, deps)
  },
})

export const minePage = pageRoute({
  method: 'GET',
  path: '/mine',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'The referrals that the visitor made',
  input: { query: pageQuery() },
  output: { 200: html, 302: nothing },
  run: async ({ caller: visitor, query }, deps) => {
    const wanted = readPage(query)
    const { referrals, total } = await referralsBy(visitor.caller.subject, wanted, deps.database)
    const pages = pagesOf(wanted, total)
    return show({ here: 'mine', rows: await rowsOf(referrals, visitor, deps), page: pages }, visitor, deps)
  },
})

function show(list: Pick<ListModel, 'here' | 'rows' | 'page'>, visitor: Visitor, { addresses, assetUrl }: PageDeps) {
  const unread = list.rows.filter(({ openTask }) => openTask === 'REQUESTED').length
  const model = { ...list, visitor, addresses, assetUrl, ...(list.here === 'inbox' ? { unread } : {}) }
  return page(renderPage(<ListPage model={model} />))
}

/** Names and open work of all rows in four round trips, however many there are. */
async function rowsOf(
  referrals: readonly CountedReferral[],
  visitor: Visitor,
  { storeOf, database, clock }: PageDeps,
): Promise<ReferralRow[]> {
  if (referrals.length === 0) return []
  const look = { store: storeOf(visitor), now: clock.now() }
  const toOf = ({ performerId, receivingFacilityClientId }: CountedReferral) =>
    performerId ?? `Organization/${receivingFacilityClientId}`
  const [patients, nameOf, openTasks] = await Promise.all([
    patientsByReference(
      referrals.map(({ patientId }) => patientId),
      look,
    ),
    namesByReference(
      referrals.flatMap((referral) => [referral.sendingOrganisation, toOf(referral)]),
      look,
    ),
    openTaskStatusOf(
      referrals.map(({ id }) => id),
      database,
    ),
  ])
  return referrals.map((referral) => ({
    referral,
    patientName: patients.get(referral.patientId)?.name ?? referral.patientId,
    from: nameOf(referral.sendingOrganisation),
    to: nameOf(toOf(referral)),
    openTask: openTasks.get(referral.id),
  }))
}
