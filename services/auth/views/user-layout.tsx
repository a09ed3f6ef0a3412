import type { ComponentChildren } from 'preact'
import { Button } from '../../../packages/views/components/button.tsx'
import { Layout, type LayoutProps } from '../../../packages/views/layout.tsx'
import { useWording } from '../../../packages/views/use-wording.ts'
import { workspaceParts } from '../../../packages/views/workspace-layout.tsx'
import { homeOf } from '../login/next-page.ts'
import type { User } from '../store/users.ts'
import { staff, type Reader } from '../words/reader.ts'

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
  /** Staff unless said: most pages are theirs alone. */
  readonly reader?: Reader
  readonly here?: 'portal' | 'apps'
  readonly children: ComponentChildren
}

/** The frame of all pages behind the login. */
export function UserLayout({ signedIn, reader = staff, here, children, ...layout }: UserLayoutProps) {
  const { user, workspace = {} } = signedIn
  const { text, wording } = reader.words
  const home = homeOf(user)
  return (
    <Layout
      {...layout}
      {...reader.layout}
      area={text('area')}
      home={home}
      navigation={[
        ...(home === '/portal' ? [{ label: 'Patients', href: '/portal', current: here === 'portal' }] : []),
        ...workspaceParts({ roles: new Set(user.roles) }, workspace, undefined, wording),
        { label: text('part_apps'), href: '/account/apps', current: here === 'apps' },
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
      <Button look="quiet">{useWording().signOut}</Button>
    </form>
  )
}
