import type { ComponentChildren } from 'preact'
import { Button } from './components/button.tsx'
import { Tabs, type NavItem } from './components/tabs.tsx'
import { Layout, type LayoutProps } from './layout.tsx'

/** Who looks at a page of the workspace, as the frame needs to know them. */
export interface WorkspaceUser {
  readonly name: string
  readonly roles: ReadonlySet<string>
  readonly organisation?: string | undefined
}

export interface WorkspaceLayoutProps extends Omit<LayoutProps, 'navigation' | 'user' | 'area' | 'home'> {
  readonly user: WorkspaceUser
  /** The public address of each service: `auth`, `bridge`, … */
  readonly addresses: Readonly<Record<string, string>>
  /** Which part of the workspace this is. */
  readonly here: WorkspacePart
  /** The pages of this part, under the parts of the workspace. */
  readonly pages?: readonly NavItem[]
  readonly children: ComponentChildren
}

export type WorkspacePart = 'patients' | 'referrals' | 'consents' | 'console' | 'apps'

interface Part {
  readonly part: WorkspacePart
  readonly label: string
  readonly service: string
  readonly path: string
  /** Where staff searches in it. */
  readonly searchAt: string
  readonly roles: readonly string[]
}

const staff = ['CLINICIAN', 'ADMIN']

const parts: readonly Part[] = [
  { part: 'patients', label: 'Patients', service: 'auth', path: '/portal', searchAt: '/portal', roles: staff },
  {
    ...{ part: 'referrals', label: 'Referrals', service: 'referral', path: '/', searchAt: '/new' },
    roles: [...staff, 'PATIENT'],
  },
  {
    ...{ part: 'consents', label: 'Consents', service: 'consent', path: '/', searchAt: '/' },
    roles: [...staff, 'PATIENT'],
  },
  {
    ...{ part: 'console', label: 'Console', service: 'bridge', path: '/console', searchAt: '/console/messages' },
    roles: ['ADMIN'],
  },
  {
    ...{ part: 'apps', label: 'Apps with access', service: 'auth', path: '/account/apps', searchAt: '/portal' },
    roles: [...staff, 'PATIENT'],
  },
]

const areas: Readonly<Record<WorkspacePart, string>> = {
  patients: 'Portal',
  referrals: 'Referrals',
  consents: 'Consents',
  console: 'Console',
  apps: 'Portal',
}

/** The part that a service has the pages of; most programs that call services have none. */
export const partOf = (service: string): WorkspacePart | undefined => parts.find((one) => one.service === service)?.part

/** Where the pages of a part begin. */
export const startOf = (wanted: WorkspacePart): string => parts.find(({ part }) => part === wanted)?.path ?? '/'

/** The parts of the workspace that somebody may use, wherever they run. */
export function workspaceParts(
  { roles }: Pick<WorkspaceUser, 'roles'>,
  addresses: Readonly<Record<string, string>>,
  here?: WorkspacePart,
): NavItem[] {
  return parts
    .filter((one) => addresses[one.service] !== undefined && one.roles.some((role) => roles.has(role)))
    .map(({ part, label, service, path }) => ({
      label,
      href: `${addresses[service]}${path}`,
      current: part === here,
    }))
}

/** The frame of the pages of all services: one look, one sign-in, and ways across. */
export function WorkspaceLayout({ user, addresses, here, pages, children, ...layout }: WorkspaceLayoutProps) {
  const own = parts.find(({ part }) => part === here)
  return (
    <Layout
      {...layout}
      area={areas[here]}
      home={own === undefined ? '/' : own.path}
      {...(own !== undefined && searches(user, own) ? { searchAt: own.searchAt } : {})}
      navigation={workspaceParts(user, addresses, here)}
      user={{
        name: user.name,
        ...(user.organisation === undefined ? {} : { detail: user.organisation }),
        signOut: <SignOut />,
      }}
    >
      {pages !== undefined && pages.length > 0 && <Tabs label="Pages of this part" items={pages} />}
      {children}
    </Layout>
  )
}

/** A patient sees what is their own, and has nothing to search in. */
const searches = ({ roles }: WorkspaceUser, part: Part): boolean =>
  staff.some((role) => roles.has(role) && part.roles.includes(role))

function SignOut() {
  return (
    <form method="post" action="/sign-out">
      <Button look="quiet">Sign out</Button>
    </form>
  )
}
