import type { ComponentChildren } from 'preact'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { BrowserModule } from '../../../packages/views/assets.ts'
import type { KeyboardHint } from '../../../packages/views/components/keyboard-hints.tsx'
import { WorkspaceLayout } from '../../../packages/views/workspace-layout.tsx'
import { consoleStyle } from './console-assets.ts'

/** What every page of the console knows. */
export interface FrameModel {
  readonly visitor: Pick<Visitor, 'caller' | 'name'>
  readonly addresses: Readonly<Record<string, string>>
  readonly assetUrl: (name: string) => string
}

type ConsolePart = keyof typeof parts

interface ConsoleFrameProps {
  readonly model: FrameModel
  readonly title: string
  readonly here: ConsolePart
  readonly scripts?: readonly BrowserModule[]
  /** Modules of the console’s own, by their addresses. */
  readonly moreScripts?: readonly string[]
  readonly hints?: readonly KeyboardHint[]
  readonly children: ComponentChildren
}

/** The parts of the console, in the order in which a trouble is looked into. */
const parts = {
  overview: { label: 'Overview', href: '/console' },
  search: { label: 'Messages', href: '/console/messages' },
  'dead-letters': { label: 'Dead letters', href: '/console/dead-letters' },
  channels: { label: 'Channels', href: '/console/channels' },
  breakers: { label: 'Breakers', href: '/console/breakers' },
  alerts: { label: 'Critical results', href: '/console/alerts' },
  subscriptions: { label: 'Subscriptions', href: '/console/subscriptions' },
  unmapped: { label: 'Unmapped codes', href: '/console/codes' },
  review: { label: 'Patient review', href: '/console/review' },
} as const

export function ConsoleFrame({ model, title, here, children, ...more }: ConsoleFrameProps) {
  const { visitor, addresses, assetUrl } = model
  const { subject, roles } = visitor.caller
  // Who is no administrator sees one page of the console, and no way to the others.
  const hasAll = roles.has('ADMIN')
  return (
    <WorkspaceLayout
      title={title}
      here={hasAll ? 'console' : 'results'}
      width="wide"
      user={{ subject, name: visitor.name, roles }}
      addresses={addresses}
      assetUrl={assetUrl}
      styles={[consoleStyle]}
      pages={hasAll ? Object.entries(parts).map(([part, item]) => ({ ...item, current: part === here })) : []}
      {...more}
    >
      {children}
    </WorkspaceLayout>
  )
}
