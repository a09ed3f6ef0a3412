import type { HtmlError } from '../../packages/http/error-answer.ts'
import { renderPage } from '../../packages/views/render.ts'
import type { AuthDeps } from './deps.ts'
import type { Visitor } from './login/visitor.ts'
import { AuthErrorPage } from './views/error-page.tsx'

/** Errors as people see them, in the frame that they were in. */
export function errorPageOf({ assetUrl }: Pick<AuthDeps, 'assetUrl'>): HtmlError {
  return (problem, requestId, { caller, method, url }) => {
    const again = method === 'GET' ? url : undefined
    const model = { problem, requestId, signedIn: signedIn(caller), again, isAskedByApp: isOfApp.test(url) }
    return renderPage(<AuthErrorPage model={model} assetUrl={assetUrl} />)
  }
}

/** Where apps lead their users. */
const isOfApp = /^\/oauth2\/authorize(?:[/?]|$)/

function signedIn(caller: unknown): Pick<Visitor, 'user' | 'csrf'> | undefined {
  // Sound: of the callers of our routes only visitors have a csrf.
  return typeof caller === 'object' && caller !== null && 'csrf' in caller ? (caller as Visitor) : undefined
}
