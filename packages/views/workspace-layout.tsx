import type { ComponentChildren } from 'preact'
import { Button } from './components/button.tsx'
import { Tabs, type NavItem } from './components/tabs.tsx'
import { Layout, type LayoutProps } from './layout.tsx'
import { openedBy, OpenedByContext } from './opened-by.ts'
import { english, useWording } from './use-wording.ts'
import type { Wording } from './wording.ts'
import type { WorkspacePart } from './workspace-part.ts'

/** Who looks at a page of the workspace, as the frame needs to know them. */
interface WorkspaceUser {
  readonly subject: string
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

interface Part {
  readonly part: WorkspacePart
  readonly label: string
  readonly service: string
  readonly path: string
  /** Where staff searches in it, if they can. */
  readonly searchAt?: string
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
  // One page of the console; for an administrator it is among the others there.
  { part: 'results', label: 'Critical results', service: 'bridge', path: '/console/alerts', roles: ['CLINICIAN'] },
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
  results: 'Critical results',
  apps: 'Portal',
}

/**
 * The part that a page of a service belongs to: the one that begins nearest to its path, of those that are open to its
 * reader where that is known and there are any. Most programs that call services have none.
 */
export function partOf(service: string, path: string, roles?: ReadonlySet<string>): WorkspacePart | undefined {
  const own = parts.filter((one) => one.service === service)
  const open = own.filter((one) => one.roles.some((role) => roles?.has(role)))
  const among = (open.length > 0 ? open : own).toSorted((one, other) => other.path.length - one.path.length)
  return (among.find((one) => path.startsWith(one.path)) ?? open[0] ?? own[0])?.part
}

/** Whether patients have pages at a service: there whoever is not known may be one. */
export const isForPatients = (service: string): boolean =>
  parts.some((one) => one.service === service && one.roles.includes('PATIENT'))

/** Staff has pages in English alone, whatever their browser asks for. */
export const isStaff = (roles: ReadonlySet<string>): boolean => staff.some((role) => roles.has(role))

/** Where the pages of a part begin. */
export const startOf = (wanted: WorkspacePart): string => parts.find(({ part }) => part === wanted)?.path ?? '/'

/** The parts of the workspace that somebody may use, wherever they run. */
export function workspaceParts(
  { roles }: Pick<WorkspaceUser, 'roles'>,
  addresses: Readonly<Record<string, string>>,
  here?: WorkspacePart,
  { workspace }: Pick<Wording, 'workspace'> = english,
): NavItem[] {
  return parts
    .filter((one) => addresses[one.service] !== undefined && one.roles.some((role) => roles.has(role)))
    .map(({ part, label, service, path }) => ({
      label: workspace[part] ?? label,
      href: `${addresses[service]}${path}`,
      current: part === here,
    }))
}

/** The frame of the pages of all services: one look, one sign-in, and ways across. */
export function WorkspaceLayout({ user, addresses, here, pages, children, ...layout }: WorkspaceLayoutProps) {
  const own = parts.find(({ part }) => part === here)
  const { wording = english } = layout
  return (
    <OpenedByContext.Provider value={openedBy(user.subject)}>
      <Layout
        {...layout}
        area={wording.workspace[here] ?? areas[here]}
        home={own === undefined ? '/' : own.path}
        {...(own?.searchAt !== undefined && searches(user, own) ? { searchAt: own.searchAt } : {})}
        navigation={workspaceParts(user, addresses, here, wording)}
        user={{
          name: user.name,
          ...(user.organisation === undefined ? {} : { detail: user.organisation }),
          signOut: <SignOut />,
        }}
      >
        {pages !== undefined && pages.length > 0 && <Tabs label="Pages of this part" items={pages} />}
        {children}
      </Layout>
    </OpenedByContext.Provider>
  )
}

/** A patient sees what is their own, and has nothing to search in. */
const searches = ({ roles }: WorkspaceUser, part: Part): boolean =>
  staff.some((role) => roles.has(role) && part.roles.includes(role))

/** Of whoever is signed in by now: signing out is never refused (1721). */
function SignOut() {
  return (
    <form method="post" action="/sign-out">
      <Button look="quiet">{useWording().signOut}</Button>
    </form>
  )
}
