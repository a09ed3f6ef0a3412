import { Fault } from '../../../packages/faults/fault.ts'
import { prefersHtml } from '../../../packages/http/accept.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, optional, text } from '../../../packages/http/fields.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { chosenLanguage, rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import type { AuthDeps } from '../deps.ts'
import { browserCookie, browserIn } from '../login/known-browser.ts'
import { nextPage } from '../login/next-page.ts'
import { signIn } from '../login/sign-in.ts'
import { endIdleLogin, signOut } from '../login/sign-out.ts'
import { checkCsrf, lastSessionIn, noSessionCookie, sessionCookie, visitor, visitorOf } from '../login/visitor.ts'
import { digestOf } from '../secrets/digest.ts'
import { peekRequest } from '../store/authorization-requests.ts'
import { findActiveClient } from '../store/clients.ts'
import { isLeftOpen } from '../store/sessions.ts'
import { LoginPage, type LoginModel, type LoginNotice } from '../views/login-page.tsx'
import { LogoutPage } from '../views/logout-page.tsx'
import { readerOf } from '../words/reader.ts'

const route = routeFor<AuthDeps>()
const flag = text({ max: 10, optional: true })
const to = text({ max: 200, optional: true, description: 'The page that was wanted before.' })

export const loginPage = route({
  method: 'GET',
  path: '/login',
  who: anyone,
  keepsOpener: true,
  summary: 'The login page',
  tags: ['Portal'],
  input: {
    query: { request: text({ max: 100, optional: true }), to, error: flag, logout: flag, lang: chosenLanguage },
  },
  output: { 200: html },
  run: async ({ query, request }, deps) => {
    const notice = query.error !== undefined ? 'failed' : await noticeOfEnd(query.logout, request, deps)
    const headers = rememberLanguage(query.lang, deps.settings)
    return page(await loginMarkup(notice, query, { request, address: request.url }, deps), { headers })
  },
})

export const login = route({
  method: 'POST',
  path: '/login',
  who: anyone,
  sameOrigin: true,
  keepsOpener: true,
  summary: 'Signs in',
  tags: ['Portal'],
  accepts: [formType],
  limits: { bodyBytesMax: 16_384 },
  input: {
    body: object({
      username: text({ max: 256 }),
      password: text({ max: 1_024 }),
      totp: text({ max: 20, optional: true }),
      request: text({ max: 100, optional: true }),
      to,
      _csrf: text({ max: 100, optional: true }),
    }),
  },
  output: { 302: nothing, 303: nothing, 429: html },
  run: async ({ body, request }, deps) => {
    const before = await visitorOf(request, deps)
    if (before !== undefined) checkCsrf(body._csrf, before)
    // A field that was left empty is one that was left out.
    const requestId = body.request === '' ? undefined : body.request
    const requestHash = requestId === undefined ? undefined : digestOf(requestId)
    const { settings } = deps
    const from = { lastSession: lastSessionIn(request, settings), requestHash, browser: browserIn(request, settings) }
    const waiting = said('request', requestId)
    // A telephone puts a space behind a name that it has completed, and no name has one.
    const credentials = { ...body, username: body.username.trim() }
    const signedIn = await signIn(credentials, from, request, deps).catch((thrown: unknown) => waitOf(thrown, request))
    if (signedIn !== undefined && 'seconds' in signedIn) {
      const headers = { 'retry-after': String(signedIn.seconds) }
      const reading = { request, address: `/login?${waiting}${said('to', body.to)}` }
      return page(await loginMarkup(signedIn, { ...body, request: requestId }, reading, deps), { status: 429, headers })
    }
    if (signedIn === undefined) return redirect(302, `/login?error${waiting}${said('to', body.to)}`)
    const next = waiting === '' ? nextPage(body.to, signedIn.user) : `/oauth2/authorize/resume?${waiting.slice(1)}`
    const cookies = [sessionCookie(signedIn.id, settings), browserCookie(signedIn.browser, settings)]
    return redirect(303, next, { 'set-cookie': cookies })
  },
})

export const logoutPage = route({
  method: 'GET',
  path: '/logout',
  who: visitor,
  summary: 'Asks whether to sign out; where the pages of other services lead',
  tags: ['Portal'],
  input: { query: { lang: chosenLanguage } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    const { settings, assetUrl } = deps
    if (caller === undefined && !(await isLoginOpen(request, deps))) return redirect(302, '/login?logout')
    const reader = readerOf(request, { roles: caller?.user.roles, address: request.url }, settings)
    const model = { reader, user: caller?.user, csrf: caller?.csrf }
    const headers = rememberLanguage(query.lang, settings)
    return page(renderPage(<LogoutPage model={model} assetUrl={assetUrl} />), { headers })
  },
})

export const logout = route({
  method: 'POST',
  path: '/logout',
  who: visitor,
  summary: 'Signs out, and ends what apps without offline access were granted in this login',
  tags: ['Portal'],
  accepts: [formType],
  input: { body: optional(object({ _csrf: text({ max: 100, optional: true }) })) },
  output: { 303: nothing },
  run: async ({ caller, request }, deps) => {
    // Whichever login the form is of: who presses it leaves nobody signed in here (decision 1721).
    if (caller !== undefined) await signOut(caller, request, deps)
    const last = lastSessionIn(request, deps.settings)
    if (caller === undefined && last !== undefined) await endIdleLogin(last, request, deps)
    return redirect(303, '/login?logout', { 'set-cookie': noSessionCookie(deps.settings) })
  },
})

/** Addresses are kept as bookmarks and loaded again: whoever has signed in since is not signed out by them. */
const noticeOfEnd = async (asked: string | undefined, request: IncomingRequest, deps: AuthDeps) =>
  asked === undefined || (await isLoginOpen(request, deps)) ? undefined : 'signed-out'

/** Whether the last login of this browser was not ended, idle or not. */
async function isLoginOpen(request: IncomingRequest, { settings, clock, database }: AuthDeps): Promise<boolean> {
  const last = lastSessionIn(request, settings)
  return last !== undefined && (await isLeftOpen(last, clock.now(), database))
}

/** People who have to wait are told for how long, on the page where they go on; programs get the fault. */
function waitOf(thrown: unknown, request: IncomingRequest): { readonly seconds: number } {
  const isForPeople = prefersHtml(headerOf(request, 'accept'))
  if (!isForPeople || !(thrown instanceof Fault) || thrown.kind !== 'too-much') throw thrown
  return { seconds: thrown.retryAfterSeconds ?? 1 }
}

async function loginMarkup(
  notice: LoginNotice | undefined,
  { request, to: wanted }: { readonly request?: string | undefined; readonly to?: string | undefined },
  reading: { readonly request: IncomingRequest; readonly address: string },
  deps: AuthDeps,
): Promise<string> {
  const { suggested, ...asking } = request === undefined ? {} : await askingApp(request, deps)
  const reader = readerOf(reading.request, { address: reading.address, suggested }, deps.settings)
  const model = { reader, ...asking, notice, request, to: wanted, asksForCode: deps.settings.totp }
  return renderPage(<LoginPage model={model} assetUrl={deps.assetUrl} />)
}

const said = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`

interface Asking extends Pick<LoginModel, 'app' | 'username'> {
  readonly suggested?: string | undefined
}

/** Who asks for the login, of whom, and in which languages. */
async function askingApp(requestId: string, { database, clock }: AuthDeps): Promise<Asking> {
  const saved = await peekRequest(digestOf(requestId), clock.now(), database)
  const { client_id: clientId, login_hint: username, ui_locales: suggested } = saved?.parameters ?? {}
  const client = clientId === undefined ? undefined : await findActiveClient(clientId, database)
  return { app: client?.clientName, username, suggested }
}
