import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Layout } from '../../../packages/views/layout.tsx'
import type { PageProps } from './login-page.tsx'

export interface LogoutModel {
  readonly name: string
  readonly csrf: string
}

/** Other services lead here: a link alone must not sign anybody out. */
export function LogoutPage({ model: { name, csrf }, assetUrl }: PageProps<LogoutModel>) {
  return (
    <Layout title="Sign out" width="narrow" assetUrl={assetUrl}>
      <PageHead title="Sign out of Corridor?" lead={<>You are signed in as {<bdi>{name}</bdi>}.</>} />
      <Card>
        <p>This ends your login, and with it every app and page that you opened in it.</p>
        <form class="form" method="post" action="/logout">
          <input type="hidden" name="_csrf" value={csrf} />
          <Button look="primary">Sign out</Button>
          <Button href="/portal">Stay signed in</Button>
        </form>
      </Card>
    </Layout>
  )
}
