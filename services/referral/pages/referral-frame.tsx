import type { ComponentChildren } from 'preact'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { BrowserModule } from '../../../packages/views/assets.ts'
import { NamesAway } from '../../../packages/views/components/names-away.tsx'
import { WorkspaceLayout } from '../../../packages/views/workspace-layout.tsx'
import { staff, type Reader } from '../words/reader.ts'

/** What every page of this service knows. */
export interface FrameModel {
  readonly visitor: Pick<Visitor, 'caller' | 'name'>
  readonly addresses: Readonly<Record<string, string>>
  readonly assetUrl: (name: string) => string
  /** Staff unless said. */
  readonly reader?: Reader
  /** How many new referrals wait in the inbox. */
  readonly unread?: number
  /** Whether people and facilities are told by their references, because the store that knows their names is away. */
  readonly areNamesAway?: boolean
}

interface ReferralFrameProps {
  readonly model: FrameModel
  readonly title: string
  readonly here?: 'inbox' | 'mine' | 'own' | 'new'
  readonly width?: 'regular' | 'wide'
  readonly banner?: ComponentChildren
  readonly scripts?: readonly BrowserModule[]
  readonly children: ComponentChildren
}

export function ReferralFrame({
  model,
  title,
  here,
  width = 'regular',
  banner,
  scripts = [],
  children,
}: ReferralFrameProps) {
  const { visitor, addresses, assetUrl, unread, areNamesAway = false, reader = staff } = model
  const { subject, roles } = visitor.caller
  const refers = roles.has('CLINICIAN') || roles.has('ADMIN')
  return (
    <WorkspaceLayout
      title={title}
      here="referrals"
      user={{ subject, name: visitor.name, roles }}
      addresses={addresses}
      assetUrl={assetUrl}
      width={width}
      banner={banner}
      scripts={scripts}
      {...reader.layout}
      pages={
        refers
          ? [
              {
                label: 'Inbox',
                href: '/',
                current: here === 'inbox',
                ...(unread === undefined || unread === 0 ? {} : { count: unread }),
              },
              { label: 'Mine', href: '/mine', current: here === 'mine' },
              { label: 'New', href: '/new', current: here === 'new' },
            ]
          : []
      }
    >
      {areNamesAway && <NamesAway />}
      {children}
    </WorkspaceLayout>
  )
}
