import { unavailable } from '../faults/fault.ts'
import { prefersHtml } from '../http/accept.ts'
import { page, type Reply } from '../http/answer.ts'
import { headerOf, type IncomingRequest } from '../http/request.ts'
import { Button } from '../views/components/button.tsx'
import { PageHead } from '../views/components/page-head.tsx'
import { Layout } from '../views/layout.tsx'
import { renderPage } from '../views/render.ts'
import { languageOf } from '../views/words/choose-language.ts'
import { inLanguage } from '../views/words/language-links.tsx'
import type { Language } from '../views/words/languages.ts'
import { kitWords } from '../views/words/words.ts'
import type { SignIn } from './sign-in.ts'

const retrySeconds = 5

/**
 * For whoever came back with a code that could not be exchanged. The code may be spent, so that loading the page again
 * would be refused: one tries again from the beginning, and whoever is signed in over there is asked for nothing.
 */
export function serverAway(
  returnTo: string,
  request: IncomingRequest,
  { signIn, assetUrl }: { readonly signIn: Pick<SignIn, 'isSecure'>; readonly assetUrl: (name: string) => string },
): Reply<503, string> {
  if (!prefersHtml(headerOf(request, 'accept'))) {
    throw unavailable('The authorization server does not answer. Try again in a moment.', {
      retryAfterSeconds: retrySeconds,
    })
  }
  const language = languageOf(request, undefined, signIn)
  const markup = renderPage(<ServerAwayPage to={returnTo} language={language} assetUrl={assetUrl} />)
  return page(markup, { status: 503, headers: { 'retry-after': String(retrySeconds) } })
}

interface ServerAwayModel {
  /** The page that was wanted. */
  readonly to: string
  readonly language: Language
  readonly assetUrl: (name: string) => string
}

export function ServerAwayPage({ to, language, assetUrl }: ServerAwayModel) {
  const words = kitWords(language)
  const { text } = words
  return (
    <Layout title={text('serverAwayTitle')} assetUrl={assetUrl} width="narrow" {...inLanguage(words)}>
      <PageHead title={text('serverAwayTitle')} lead={text('serverAwayLead')} />
      <div class="stack">
        <p>{text('serverAwayAdvice')}</p>
        <div class="actions">
          <Button look="primary" href={`/sign-in?to=${encodeURIComponent(to)}`}>
            {text('tryAgain')}
          </Button>
        </div>
      </div>
    </Layout>
  )
}
