import { missing } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { list, object, oneOf, optional, text } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { chosenLanguage, rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import { refusal } from '../authorize/asked.ts'
import { authorize, refuse, type Next, type Waiting } from '../authorize/authorize.ts'
import { choicesMax } from '../authorize/consent.ts'
import { takeUp } from '../authorize/waiting.ts'
import { audit, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { isOfThisLogin, user, type Visitor } from '../login/visitor.ts'
import { findPatient, findSurvivor, searchPatients } from '../portal/find-patients.ts'
import { lookOf } from '../portal/look.ts'
import { endRequest, saveConsent, savePick } from '../store/authorization-requests.ts'
import { ConsentPage } from '../views/consent-page.tsx'
import { PickerPage } from '../views/picker-page.tsx'
import { searchScript } from '../views/portal-assets.ts'
import { readerOf } from '../words/reader.ts'
import { addressOf } from './authorize.ts'
import { oauthErrors } from './oauth-errors.ts'

const route = routeFor<AuthDeps>()

const common = {
  who: user,
  takesHead: false,
  keepsOpener: true,
  tags: ['SMART'],
  errors: oauthErrors,
  hidden: true,
} as const
const request_ = text({ max: 100 })
const csrf = text({ max: 100, optional: true })
/** Of the page that asks for consent: the scopes, and parts of some. */
const ticksMax = 2 * choicesMax

export const pickPatientPage = route({
  ...common,
  method: 'GET',
  path: '/oauth2/authorize/patient',
  summary: 'Picks the patient whose record an app gets',
  input: { query: { request: request_, search: text({ max: 200, optional: true }) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    const waiting = notPicked(await takeUp(query.request, caller, deps))
    const next = await authorize(waiting.saved.parameters, caller, waiting, request, deps)
    if (next.is !== 'pick') return redirect(302, addressOf(next, query.request))
    const { search = '' } = query
    const look = lookOf(caller.user, request, deps)
    const found = await searchPatients(search, look)
    const app = next.asked.client.clientName
    const scripts = [deps.portalAssets.urlOf(searchScript)]
    const model = { user: caller.user, csrf: caller.csrf, request: query.request, app, search, ...found, scripts }
    return page(renderPage(<PickerPage model={model} assetUrl={deps.assetUrl} />))
  },
})

export const pickPatient = route({
  ...common,
  method: 'POST',
  path: '/oauth2/authorize/patient',
  summary: 'Takes the picked patient, or none',
  accepts: [formType],
  input: {
    body: object({
      request: request_,
      patientId: text({ pattern: /^([A-Za-z0-9.-]{1,64})?$/, says: 'must be a FHIR id', optional: true }),
      _csrf: csrf,
    }),
  },
  output: { 302: nothing, 303: nothing },
  run: async ({ body, caller, request }, deps) => {
    // The page again, with a form of this login: what was chosen in the one before is nothing that counts.
    if (!isOfThisLogin(body._csrf, caller)) return redirect(303, pageAddress('patient', body.request))
    const waiting = notPicked(await takeUp(body.request, caller, deps))
    const next = await authorize(waiting.saved.parameters, caller, waiting, request, deps)
    if (next.is !== 'pick') return redirect(303, addressOf(next, body.request))
    const picked = body.patientId ? await findSurvivor(body.patientId, lookOf(caller.user, request, deps)) : null
    // Whom the user may not see cannot be picked either.
    if (picked === undefined) throw missing('There is no such patient.')
    await savePick(waiting.requestHash, caller.sessionHash, picked?.id ?? null, deps.database)
    return redirect(303, resumeAddress(body.request))
  },
})

export const consentPage = route({
  ...common,
  method: 'GET',
  path: '/oauth2/authorize/consent',
  summary: 'Asks the user what an app may do',
  input: { query: { request: request_, lang: chosenLanguage } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    const next = await stepOf(query.request, caller, request, deps)
    if (next.is !== 'consent') return redirect(302, addressOf(next, query.request))
    const { clientName, policyUri, tosUri } = next.asked.client
    const look = lookOf(caller.user, request, deps, next.patient)
    // Patients know whose record they give away; whoever treats many must see it.
    const isOwn = next.patient === null || caller.user.fhirUser === `Patient/${next.patient}`
    const patient = isOwn ? undefined : await findPatient(next.patient, look)
    const reading = { address: request.url, suggested: next.asked.parameters['ui_locales'] }
    const reader = readerOf(request, { roles: caller.user.roles, ...reading }, deps.settings)
    const model = {
      ...{ reader, user: caller.user, csrf: caller.csrf, request: query.request, choices: next.choices, patient },
      ...{ app: { name: clientName, policyUri, tosUri }, patientId: next.patient },
    }
    const headers = rememberLanguage(query.lang, deps.settings)
    return page(renderPage(<ConsentPage model={model} assetUrl={deps.assetUrl} />), { headers })
  },
})

export const consent = route({
  ...common,
  method: 'POST',
  path: '/oauth2/authorize/consent',
  summary: 'Takes what the user agreed to',
  accepts: [formType],
  limits: { bodyBytesMax: 65_536, formFieldsMax: ticksMax + 10 },
  input: {
    body: object({
      request: request_,
      decision: oneOf(['allow', 'deny']),
      scope: optional(list(text({ max: 1_200 }), { max: ticksMax })),
      patient: text({ max: 64, optional: true, description: 'For whom the page asked; nobody where it is empty.' }),
      _csrf: csrf,
    }),
  },
  output: { 302: nothing, 303: nothing },
  run: async ({ body, caller, request }, deps) => {
    // The page again, with a form of this login: what was chosen in the one before is nothing that counts.
    if (!isOfThisLogin(body._csrf, caller)) return redirect(303, pageAddress('consent', body.request))
    const waiting = notAgreed(await takeUp(body.request, caller, deps))
    const next = await authorize(waiting.saved.parameters, caller, waiting, request, deps)
    if (next.is !== 'consent') return redirect(303, addressOf(next, body.request))
    // Another was picked in another tab since the page was shown: what was agreed to was about somebody else.
    if ((body.patient ?? next.patient ?? '') !== (next.patient ?? '')) {
      return redirect(303, pageAddress('consent', body.request))
    }
    const fixed = next.choices.filter(({ isFixed }) => isFixed).map(({ scope }) => scope)
    const agreed = [...fixed, ...(body.scope ?? [])]
    if (body.decision === 'deny' || agreed.length === 0) {
      await endRequest(waiting.requestHash, deps.database)
      const about = { clientId: next.asked.client.clientId, subject: caller.user.subject, ...whence(request) }
      await audit({ event: 'consent refused', outcome: 'failure', ...about }, deps)
      return redirect(303, addressOf(refuse(next.asked, refusal('access_denied', 'The user did not agree.'), deps), ''))
    }
    const agreement = { scope: agreed.join(' '), patient: next.patient }
    await saveConsent(waiting.requestHash, caller.sessionHash, agreement, deps.database)
    return redirect(303, resumeAddress(body.request))
  },
})

/** Who sees on the page of consent that it is the wrong patient goes back, and picks another. */
const notPicked = ({ requestHash, saved }: Waiting): Waiting => ({ requestHash, saved: { ...saved, hasPicked: false } })

/** What they say now counts, and not what they said before in another tab or by a second click. */
const notAgreed = ({ requestHash, saved }: Waiting): Waiting => ({
  requestHash,
  saved: { ...saved, consentedScope: null },
})

async function stepOf(id: string, caller: Visitor, request: IncomingRequest, deps: AuthDeps): Promise<Next> {
  const waiting = await takeUp(id, caller, deps)
  return authorize(waiting.saved.parameters, caller, waiting, request, deps)
}

const pageAddress = (choice: 'patient' | 'consent', id: string) =>
  `/oauth2/authorize/${choice}?request=${encodeURIComponent(id)}`

const resumeAddress = (id: string) => `/oauth2/authorize/resume?request=${encodeURIComponent(id)}`
