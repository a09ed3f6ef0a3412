import type { ComponentChildren } from 'preact'
import { Button } from '../../../packages/views/components/button.tsx'
import { Layout, type LayoutProps } from '../../../packages/views/layout.tsx'
import { workspaceParts } from '../../../packages/views/workspace-layout.tsx'
import { homeOf } from '../login/next-page.ts'
import type { User } from '../store/users.ts'

/** What every page of a signed-in user knows. */
export interface SignedIn {
  readonly user: Pick<User, 'displayName' | 'organisation' | 'roles'>
  readonly csrf: string
  /** Where the pages of the other services are; none where an app waits for the user. */
  readonly workspace?: Readonly<Record<string, string>>
}

interface UserLayoutProps extends Pick<
  LayoutProps,
  'title' | 'assetUrl' | 'width' | 'banner' | 'hints' | 'moreScripts'
> {
  readonly signedIn: SignedIn
  readonly here?: 'portal' | 'apps'
  readonly children: ComponentChildren
}

/** The frame of all pages behind the login. */
export function UserLayout({ signedIn, here, children, ...layout }: UserLayoutProps) {
  const { user, workspace = {} } = signedIn
  const home = homeOf(user)
  return (
    <Layout
      {...layout}
      area="Portal"
      home={home}
      navigation={[
        ...(home === '/portal' ? [{ label: 'Patients', href: '/portal', current: here === 'portal' }] : []),
        ...workspaceParts({ roles: new Set(user.roles) }, workspace),
        { label: 'Apps with access', href: '/account/apps', current: here === 'apps' },
      ]}
      user={{ name: user.displayName, signOut: <SignOut csrf={signedIn.csrf} /> }}
    >
      {children}
    </Layout>
  )
}

function SignOut({ csrf }: { readonly csrf: string }) {
  return (
    <form method="post" action="/logout">
      <input type="hidden" name="_csrf" value={csrf} />
      <Button look="quiet">Sign out</Button>
    </form>
  )
}
