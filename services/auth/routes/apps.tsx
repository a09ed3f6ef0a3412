import { later } from '../../../packages/clock/later.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, optional, text, uuid } from '../../../packages/http/fields.ts'
import { lastPageBefore, pageQuery, pagesOf, readPage } from '../../../packages/http/page-envelope.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { auditIn, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { checkCsrf, user } from '../login/visitor.ts'
import { namesOf } from '../portal/find-patients.ts'
import { lookOf } from '../portal/look.ts'
import { workspaceClientId } from '../registration/workspace-client.ts'
import { accessSecondsMax, revoking } from '../revocation/revoking.ts'
import { appsWithAccess, isEndedOfUser, revokeGrantOfUser } from '../store/grants.ts'
import { AppsPage } from '../views/apps-page.tsx'
import { readerOf } from '../words/reader.ts'
import { chosenLanguage, rememberLanguage } from '../../../packages/views/words/choose-language.ts'

const route = routeFor<AuthDeps>()

export const appsPage = route({
  method: 'GET',
  path: '/account/apps',
  who: user,
  summary: 'The apps that the user has let in',
  tags: ['Portal'],
  input: { query: { ...pageQuery(), taken: optional(uuid()), lang: chosenLanguage } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    const now = deps.clock.now()
    const part = readPage(query)
    // Our own pages were let in by nobody; signing out ends them.
    const of = { userId: caller.user.id, besides: workspaceClientId }
    const times = { now, tokensSince: later(now, -accessSecondsMax) }
    const { apps, total } = await appsWithAccess(of, times, part, deps.database)
    const pages = pagesOf(part, total)
    const last = lastPageBefore(pages)
    if (last !== undefined) return redirect(302, `/account/apps?page=${last}`)
    const look = lookOf(caller.user, request, deps)
    const patients = apps.map(({ patient }) => patient).filter((patient) => patient !== null)
    const patientNames = await namesOf(patients, look)
    const { workspace, assetUrl, settings } = deps
    const reader = readerOf(request, { roles: caller.user.roles, address: request.url }, settings)
    // Anybody can write an address: a grant that was never theirs was not taken away by them.
    const hasTaken = query.taken !== undefined && (await isEndedOfUser(query.taken, caller.user.id, deps.database))
    const model = { reader, user: caller.user, csrf: caller.csrf, workspace, apps, pages, patientNames, hasTaken }
    const headers = rememberLanguage(query.lang, settings)
    return page(renderPage(<AppsPage model={model} assetUrl={assetUrl} />), { headers })
  },
})

export const revokeApp = route({
  method: 'POST',
  path: '/account/apps/revoke',
  who: user,
  summary: 'Takes access away from an app, its living tokens included',
  tags: ['Portal'],
  accepts: [formType],
  input: { body: object({ grant: uuid(), _csrf: text({ max: 100, optional: true }) }) },
  output: { 302: nothing, 303: nothing },
  run: async ({ body, caller, request }, deps) => {
    checkCsrf(body._csrf, caller)
    await deps.database.transaction(async (tx) => {
      const ended = await revokeGrantOfUser(body.grant, caller.user.id, revoking(deps), tx)
      for (const grant of ended) await auditIn(tx, { event: 'grant revoked', ...grant, ...whence(request) }, deps)
    })
    return redirect(303, `/account/apps?taken=${body.grant}`)
  },
})
