import { unavailable } from '../faults/fault.ts'
import { prefersHtml } from '../http/accept.ts'
import { page, type Reply } from '../http/answer.ts'
import { headerOf, type IncomingRequest } from '../http/request.ts'
import { Button } from '../views/components/button.tsx'
import { PageHead } from '../views/components/page-head.tsx'
import { Layout } from '../views/layout.tsx'
import { renderPage } from '../views/render.ts'

const retrySeconds = 5

/**
 * For whoever came back with a code that could not be exchanged. The code may be spent, so that loading the page again
 * would be refused: one tries again from the beginning, and whoever is signed in over there is asked for nothing.
 */
export function serverAway(
  returnTo: string,
  request: IncomingRequest,
  assetUrl: (name: string) => string,
): Reply<503, string> {
  if (!prefersHtml(headerOf(request, 'accept'))) {
    throw unavailable('The authorization server does not answer. Try again in a moment.', {
      retryAfterSeconds: retrySeconds,
    })
  }
  const markup = renderPage(<ServerAwayPage to={returnTo} assetUrl={assetUrl} />)
  return page(markup, { status: 503, headers: { 'retry-after': String(retrySeconds) } })
}

interface ServerAwayModel {
  /** The page that was wanted. */
  readonly to: string
  readonly assetUrl: (name: string) => string
}

export function ServerAwayPage({ to, assetUrl }: ServerAwayModel) {
  return (
    <Layout title="The authorization server does not answer" assetUrl={assetUrl} width="narrow">
      <PageHead
        title="The authorization server does not answer"
        lead="You are not signed in here yet, and nothing was changed."
      />
      <div class="stack">
        <p>
          Wait a moment, then try again: you get to the page that you wanted. If it stays like this, tell your operator.
        </p>
        <div class="actions">
          <Button look="primary" href={`/sign-in?to=${encodeURIComponent(to)}`}>
            Try again
          </Button>
        </div>
      </div>
    </Layout>
  )
}
