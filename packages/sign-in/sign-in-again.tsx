import { incorrect } from '../faults/fault.ts'
import { page } from '../http/answer.ts'
import { formType } from '../http/body.ts'
import { html } from '../http/content.ts'
import { object, oneOf, optional, text } from '../http/fields.ts'
import { routeFor } from '../http/route.ts'
import { sentFields, type SentFields } from '../http/sent-fields.ts'
import { anyone } from '../http/who.ts'
import { Button } from '../views/components/button.tsx'
import { KeptForm } from '../views/components/kept-form.tsx'
import { PageHead } from '../views/components/page-head.tsx'
import { Layout } from '../views/layout.tsx'
import { renderPage } from '../views/render.ts'
import { ownPath } from './own-path.ts'

/**
 * Where a browser takes a form whose session was over, or could not be looked up (`writing`): what was typed goes back to
 * who typed it, in a page that sends it again once they have signed in. Nothing of it is kept here.
 */
export const signInAgain = routeFor<{ readonly assetUrl: (name: string) => string }>()({
  method: 'POST',
  path: '/sign-in/again',
  who: anyone,
  tags: ['Sign-in'],
  summary: 'Gives a form back to a browser whose session was over',
  accepts: [formType],
  input: {
    query: {
      to: text({ max: 2_000, description: 'Where the form was sent.' }),
      why: optional(oneOf(['away'], { description: 'Whether there is a session is not known.' })),
    },
    body: optional(object({})),
  },
  // Which fields a form has is known where it was sent.
  readsOwnInput: true,
  limits: { bodyBytesMax: 262_144 },
  sameOrigin: true,
  output: { 200: html },
  run: ({ query, request }, { assetUrl }) => {
    const fields = sentFields(request)
    if (fields === undefined) throw incorrect('Send a form, of at most 200 fields.')
    const Page = query.why === 'away' ? SendAgainPage : SignInAgainPage
    return page(renderPage(<Page to={ownPath(query.to)} fields={fields} assetUrl={assetUrl} />))
  },
})

interface SignInAgainModel {
  readonly to: string
  readonly fields: SentFields
  readonly assetUrl: (name: string) => string
}

function SignInAgainPage({ to, fields, assetUrl }: SignInAgainModel) {
  return (
    <Layout title="Please sign in again" assetUrl={assetUrl} width="narrow">
      <PageHead
        title="Please sign in again"
        lead="Your session is over. What you wrote is not sent yet, and none of it is lost."
      />
      <div class="stack">
        <p>Sign in in another tab, then come back to this one and send it.</p>
        <KeptForm to={to} fields={fields}>
          <a class="button primary" href="/sign-in" target="_blank" rel="noopener">
            Sign in (opens another tab)
          </a>
          <Button>Send it now</Button>
        </KeptForm>
        <p>It stays in this page until you close it, and is taken from nobody but you.</p>
      </div>
    </Layout>
  )
}

function SendAgainPage({ to, fields, assetUrl }: SignInAgainModel) {
  const title = 'This could not be sent yet'
  return (
    <Layout title={title} assetUrl={assetUrl} width="narrow">
      <PageHead title={title} lead="A part of the system does not answer. Nothing of what you wrote is lost." />
      <div class="stack">
        <p>Wait a moment, then send it again. If it stays like this, tell your operator.</p>
        <KeptForm to={to} fields={fields}>
          <Button look="primary">Send it again</Button>
        </KeptForm>
        <p>It stays in this page until you close it.</p>
      </div>
    </Layout>
  )
}
