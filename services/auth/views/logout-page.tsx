import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Layout } from '../../../packages/views/layout.tsx'
import type { PageProps } from './login-page.tsx'

interface LogoutModel {
  /** Nobody's where the login was idle for too long: who sits here now is not known. */
  readonly name: string | undefined
  readonly csrf: string | undefined
}

/** Other services lead here: a link alone must not sign anybody out. */
export function LogoutPage({ model: { name, csrf }, assetUrl }: PageProps<LogoutModel>) {
  return (
    <Layout title="Sign out" width="narrow" assetUrl={assetUrl}>
      <PageHead
        title="Sign out of Corridor?"
        lead={
          name === undefined ? 'This login has been idle for a while.' : <>You are signed in as {<bdi>{name}</bdi>}.</>
        }
      />
      <Card>
        <form class="form" method="post" action="/logout">
          <p>
            {name === undefined
              ? 'Apps and pages that were opened in it may still be open. This ends them.'
              : 'This ends your login, and with it every app and page that you opened in it.'}
          </p>
          {csrf !== undefined && <input type="hidden" name="_csrf" value={csrf} />}
          <Button look="primary">Sign out</Button>
          <Button href="/portal">{name === undefined ? 'Sign in again' : 'Stay signed in'}</Button>
        </form>
      </Card>
    </Layout>
  )
}
