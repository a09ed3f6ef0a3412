import type { ErrorPage, HtmlError } from '../../packages/http/error-answer.ts'
import { queryOf } from '../../packages/http/request.ts'
import { rememberLanguage } from '../../packages/views/words/choose-language.ts'
import { renderPage } from '../../packages/views/render.ts'
import type { AuthDeps } from './deps.ts'
import type { Visitor } from './login/visitor.ts'
import { AuthErrorPage } from './views/error-page.tsx'
import { readerOf } from './words/reader.ts'

/** Errors as people see them, in the frame that they were in. */
export function errorPageOf({ assetUrl, settings }: Pick<AuthDeps, 'assetUrl' | 'settings'>) {
  return (...[problem, requestId, failed]: Parameters<HtmlError>): ErrorPage => {
    const visitor = signedIn(failed.caller)
    const again = failed.method === 'GET' ? failed.url : undefined
    const query = new URLSearchParams(queryOf(failed.url))
    const suggested = query.get('ui_locales') ?? undefined
    const reader = readerOf(failed, { roles: visitor?.user.roles, address: again, suggested }, settings)
    const isOfApp = /^\/oauth2\/authorize(?:\?|$)/.test(failed.url)
    const model = { reader, problem, requestId, signedIn: visitor, again, isOfApp }
    const markup = renderPage(<AuthErrorPage model={model} assetUrl={assetUrl} />)
    // Whoever chooses a language here has chosen it for the pages after this one, as on all others.
    return { markup, headers: again === undefined ? {} : rememberLanguage(query.get('lang') ?? undefined, settings) }
  }
}

function signedIn(caller: unknown): Pick<Visitor, 'user' | 'csrf'> | undefined {
  // Sound: of the callers of our routes only visitors have a csrf.
  return typeof caller === 'object' && caller !== null && 'csrf' in caller ? (caller as Visitor) : undefined
}
