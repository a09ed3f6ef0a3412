import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Layout } from '../../../packages/views/layout.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import { homeOf } from '../login/next-page.ts'
import type { User } from '../store/users.ts'
import type { Reader } from '../words/reader.ts'
import type { PageProps } from './login-page.tsx'

interface LogoutModel {
  readonly reader: Reader
  /** Nobody's where the login was idle for too long: who sits here now is not known. */
  readonly user: Pick<User, 'displayName' | 'roles'> | undefined
  readonly csrf: string | undefined
}

/** Other services lead here: a link alone must not sign anybody out. */
export function LogoutPage({ model: { reader, user, csrf }, assetUrl }: PageProps<LogoutModel>) {
  const { text } = reader.words
  return (
    <Layout title={text('signOut')} width="narrow" assetUrl={assetUrl} {...reader.layout}>
      <PageHead
        title={text('signOutTitle')}
        lead={
          user === undefined ? (
            text('idleLead')
          ) : (
            <Filled text={text('signedInAs')} parts={{ name: <bdi>{user.displayName}</bdi> }} />
          )
        }
      />
      <Card>
        <form class="form" method="post" action="/logout">
          <p>
            {text(user === undefined ? 'idleText' : 'signOutText')} {text('offlineText')}
          </p>
          {csrf !== undefined && <input type="hidden" name="_csrf" value={csrf} />}
          <Button look="primary">{text('signOut')}</Button>
          {user === undefined ? (
            <Button href="/login">{text('signInAgain')}</Button>
          ) : (
            <Button href={homeOf(user)}>{text('staySignedIn')}</Button>
          )}
        </form>
      </Card>
    </Layout>
  )
}
