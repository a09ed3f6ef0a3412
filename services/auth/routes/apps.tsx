import { later } from '../../../packages/clock/later.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, optional, text, uuid } from '../../../packages/http/fields.ts'
import { lastPageBefore, pageQuery, pageQueryTo, pagesOf, readPage } from '../../../packages/http/page-envelope.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { renderPage } from '../../../packages/views/render.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import { auditAllIn, endedEvents, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { checkCsrf, user } from '../login/visitor.ts'
import { namesOf } from '../portal/find-patients.ts'
import { lookOf } from '../portal/look.ts'
import { workspaceClientId } from '../registration/workspace-client.ts'
import { accessSecondsMax, revoking } from '../revocation/revoking.ts'
import { appsWithAccess, signInsOf, takenAway } from '../store/apps-with-access.ts'
import { removeCodesOfApp } from '../store/codes.ts'
import { revokeAppOfUser, revokeGrantOfUser, type EndedGrant, type Revoking } from '../store/grants.ts'
import { AppsPage } from '../views/apps-page.tsx'
import { readerOf } from '../words/reader.ts'
import { chosenLanguage, rememberLanguage } from '../../../packages/views/words/choose-language.ts'

const route = routeFor<AuthDeps>()

const appId = () => text({ max: 100, optional: true, description: 'The id of an app' })

export const appsPage = route({
  method: 'GET',
  path: '/account/apps',
  who: user,
  summary: 'The apps that the user has let in, or all sign-ins of one of them',
  tags: ['Portal'],
  input: {
    query: { ...pageQuery(), app: appId(), taken: optional(uuid()), takenApp: appId(), lang: chosenLanguage },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    const { database, workspace, assetUrl, settings } = deps
    const now = deps.clock.now()
    const userId = caller.user.id
    const times = { now, tokensSince: later(now, -accessSecondsMax) }
    const part = readPage(query)
    const isOne = query.app !== undefined
    // Our own pages were let in by nobody; signing out ends them.
    const of = { userId, besides: workspaceClientId, clientId: query.app }
    const { apps, total } = await appsWithAccess(of, times, isOne ? firstOnly : part, database)
    // Its last sign-in is over: what there is to see are the others.
    if (isOne && apps.length === 0) return redirect(302, pathOfApps)
    const pages = pagesOf(part, isOne ? (apps[0]?.signIns ?? 0) : total)
    const last = lastPageBefore(pages)
    if (last !== undefined) return redirect(302, pageOfApps(last, query.app, part))
    const signIns = await signInsOf(
      apps.map(({ clientId }) => clientId),
      userId,
      times,
      isOne ? part : latest,
      database,
    )
    const patients = [...apps, ...signIns].map(({ patient }) => patient).filter((patient) => patient !== null)
    const patientNames = await namesOf(patients, lookOf(caller.user, request, deps))
    const reader = readerOf(request, { roles: caller.user.roles, address: request.url }, settings)
    // Anybody can write an address: what was never theirs was not taken away by them.
    const taken = await takenAway({ grant: query.taken, app: query.takenApp }, userId, times, database)
    const hrefOf = (number: number) => pageOfApps(number, query.app, part)
    const shown = { apps, signIns, isOne, pages, hrefOf, patientNames, taken }
    const model = { reader, user: caller.user, csrf: caller.csrf, workspace, ...shown }
    const headers = rememberLanguage(query.lang, settings)
    return page(renderPage(<AppsPage model={model} assetUrl={assetUrl} />), { headers })
  },
})

const pathOfApps = '/account/apps'

const firstOnly = { offset: 0, size: 1 }

/** How many sign-ins stand with each of many apps; the page of the one app has all. */
const latest = { offset: 0, size: 10 }

const pageOfApps = (number: number, app: string | undefined, part: { readonly size: number }): string =>
  `${pathOfApps}?${app === undefined ? '' : `app=${encodeURIComponent(app)}&`}${pageQueryTo(number, part)}`

export const revokeSignIn = route({
  method: 'POST',
  path: '/account/apps/revoke',
  who: user,
  summary: 'Ends one sign-in of an app, its living tokens included',
  tags: ['Portal'],
  accepts: [formType],
  input: { body: object({ grant: uuid(), _csrf: text({ max: 100, optional: true }) }) },
  output: { 302: nothing, 303: nothing },
  run: async ({ body, caller, request }, deps) => {
    checkCsrf(body._csrf, caller)
    await takeAway((how, tx) => revokeGrantOfUser(body.grant, caller.user.id, how, tx), request, deps)
    return redirect(303, `${pathOfApps}?taken=${body.grant}`)
  },
})

export const revokeApp = route({
  method: 'POST',
  path: '/account/apps/revoke-app',
  who: user,
  summary: 'Takes all access away from an app: every sign-in of the user, their living tokens included',
  tags: ['Portal'],
  accepts: [formType],
  input: { body: object({ app: text({ min: 1, max: 100 }), _csrf: text({ max: 100, optional: true }) }) },
  output: { 302: nothing, 303: nothing },
  run: async ({ body, caller, request }, deps) => {
    checkCsrf(body._csrf, caller)
    const ofUser = { clientId: body.app, userId: caller.user.id }
    const all = async (how: Revoking, tx: Transaction) => {
      // First: a code that is being exchanged right now is a grant after this, and found.
      await removeCodesOfApp(ofUser, how.now, tx)
      return revokeAppOfUser(ofUser.clientId, ofUser.userId, how, tx)
    }
    await takeAway(all, request, deps)
    return redirect(303, `${pathOfApps}?${new URLSearchParams({ takenApp: body.app })}`)
  },
})

async function takeAway(
  end: (how: Revoking, tx: Transaction) => Promise<readonly EndedGrant[]>,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await auditAllIn(tx, endedEvents(await end(revoking(deps), tx), whence(request)), deps)
  })
}
