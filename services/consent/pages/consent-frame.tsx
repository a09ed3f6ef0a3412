import type { ComponentChildren } from 'preact'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { NamesAway } from '../../../packages/views/components/names-away.tsx'
import type { LayoutProps } from '../../../packages/views/layout.tsx'
import { WorkspaceLayout } from '../../../packages/views/workspace-layout.tsx'

/** What every page of this service knows. */
export interface FrameModel {
  readonly visitor: Pick<Visitor, 'caller' | 'name'>
  readonly addresses: Readonly<Record<string, string>>
  readonly assetUrl: (name: string) => string
  /** Whether people and facilities are told by their references, because the store that knows their names is away. */
  readonly areNamesAway?: boolean
}

interface ConsentFrameProps {
  readonly model: FrameModel
  readonly title: string
  readonly here?: 'patients' | 'ask' | 'records' | 'log'
  readonly banner?: ComponentChildren
  /** Of a page in the reader's own language. */
  readonly layout?: Pick<LayoutProps, 'lang' | 'dir' | 'wording' | 'styles' | 'footer'>
  readonly children: ComponentChildren
}

export function ConsentFrame({ model, title, here, banner, layout, children }: ConsentFrameProps) {
  const { visitor, addresses, assetUrl, areNamesAway = false } = model
  const { subject, roles } = visitor.caller
  const pages = [
    { label: 'Patients', href: '/', current: here === 'patients' },
    { label: 'Ask', href: '/ask', current: here === 'ask' },
    { label: 'Records', href: '/admin/records', current: here === 'records' },
    { label: 'Log', href: '/admin', current: here === 'log' },
  ]
  return (
    <WorkspaceLayout
      title={title}
      here="consents"
      user={{ subject, name: visitor.name, roles }}
      addresses={addresses}
      assetUrl={assetUrl}
      banner={banner}
      scripts={['in-place.js']}
      {...layout}
      pages={roles.has('ADMIN') ? pages : []}
    >
      {areNamesAway && <NamesAway />}
      {children}
    </WorkspaceLayout>
  )
}
