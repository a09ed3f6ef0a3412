import type { HtmlError } from '../../packages/http/error-answer.ts'
import { renderPage } from '../../packages/views/render.ts'
import type { AuthDeps } from './deps.ts'
import type { Visitor } from './login/visitor.ts'
import { AuthErrorPage } from './views/error-page.tsx'

/** Errors as people see them, in the frame that they were in. */
export function errorPageOf({ assetUrl }: Pick<AuthDeps, 'assetUrl'>): HtmlError {
  return (problem, requestId, { caller, method, url }) => {
    const again = method === 'GET' ? url : undefined
    const model = { problem, requestId, signedIn: signedIn(caller), again, askedByApp: askedByApp(url) }
    return renderPage(<AuthErrorPage model={model} assetUrl={assetUrl} />)
  }
}

/** Where apps lead their users, and where these go on from there. */
function askedByApp(url: string): 'now' | 'before' | undefined {
  const after = /^\/oauth2\/authorize([/?]|$)/.exec(url)?.[1]
  return after === '/' ? 'before' : after === undefined ? undefined : 'now'
}

function signedIn(caller: unknown): Pick<Visitor, 'user' | 'csrf'> | undefined {
  // Sound: of the callers of our routes only visitors have a csrf.
  return typeof caller === 'object' && caller !== null && 'csrf' in caller ? (caller as Visitor) : undefined
}
