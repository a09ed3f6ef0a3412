import { Fault } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { text } from '../../../packages/http/fields.ts'
import { anyone } from '../../../packages/http/who.ts'
import { addressHashOf } from '../../../packages/sign-in/waiting-limits.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { launchErrorOf } from '../launch/launch-errors.ts'
import { startLaunch } from '../launch/start-launch.ts'
import { launchCookie, launchSecretOf, openSessionOf } from '../session/visitor.ts'
import { LaunchPage } from '../views/launch-page.tsx'
import { languageOf, rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import { wordsOf } from '../words/words.ts'
import { appRoute } from './app-route.ts'

export const launch = appRoute({
  method: 'GET',
  path: '/launch',
  who: anyone,
  summary: 'Begins a SMART launch, from a portal or by itself; without a FHIR server, the start page',
  tags: ['Launch'],
  input: {
    query: {
      iss: text({ max: 2_000, optional: true }),
      launch: text({ max: 2_000, optional: true }),
      error: text({ max: 100, optional: true }),
      lang: text({ max: 20, optional: true }),
    },
  },
  output: { 200: html, 302: nothing, 400: html },
  run: async ({ query, request }, deps) => {
    const { settings, issuers, ids, assetUrl } = deps
    const { iss } = query
    const start = (error: ReturnType<typeof launchErrorOf> | undefined) => {
      const words = wordsOf(languageOf(request, query.lang, settings))
      return renderPage(<LaunchPage model={{ words, error, iss: settings.issuers[0] ?? '' }} assetUrl={assetUrl} />)
    }
    const headers = rememberLanguage(query.lang, settings)
    // Where a page leads whose countdown is over; the browser may be closed before it asks for anything else.
    if (query.error === 'session_expired') await openSessionOf(request, deps)
    // Somebody who was just refused must not be sent round again.
    if (query.error !== undefined) return page(start(launchErrorOf(query.error)), { headers })
    if (iss === undefined) return page(start(undefined), { headers })
    // Any other address would make this server call where a stranger wants it to.
    if (!issuers.allows(iss)) return page(start('unknown_issuer'), { status: 400 })
    const secret = launchSecretOf(request, settings) ?? ids.secret()
    try {
      const browser = { secret, addressHash: addressHashOf(request) }
      const address = await startLaunch({ iss, launch: query.launch }, browser, deps)
      return redirect(302, address, { 'set-cookie': launchCookie(secret, settings) })
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unavailable') return redirect(302, '/launch?error=fhir_unavailable')
      throw error
    }
  },
})
