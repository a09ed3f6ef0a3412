import { expect, it } from 'vitest'
import { renderPage } from '../../../packages/views/render.ts'
import { workspaceParts } from '../../../packages/views/workspace-layout.tsx'
import { workspaceAddresses } from '../registration/workspace-client.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

type Role = SignedIn['user']['roles'][number]

const addresses = {
  auth: 'https://auth.example',
  bridge: 'https://bridge.example',
  consent: 'https://consent.example',
  referral: 'https://referral.example',
}

function waysOf(role: Role, workspace?: Readonly<Record<string, string>>): string[] {
  const user = { displayName: 'Dr Amara', organisation: null, roles: [role] } as const
  const signedIn = { user, csrf: 'x', ...(workspace === undefined ? {} : { workspace }) }
  const page = renderPage(
    <UserLayout title="Patients" signedIn={signedIn} assetUrl={(name) => name}>
      …
    </UserLayout>,
  )
  const navigation = /<nav[^]*?<\/nav>/.exec(page)?.[0] ?? ''
  return [...navigation.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
}

it.each<[Role, string[]]>([
  [
    'CLINICIAN',
    [
      ...['/portal', 'https://referral.example/', 'https://consent.example/', 'https://bridge.example/console/alerts'],
      '/account/apps',
    ],
  ],
  [
    'ADMIN',
    [
      ...['/portal', 'https://referral.example/', 'https://consent.example/', 'https://bridge.example/console'],
      '/account/apps',
    ],
  ],
  ['PATIENT', ['https://referral.example/', 'https://consent.example/', '/account/apps']],
])('a %s gets from the portal to every other page of theirs', (role, ways) => {
  expect(waysOf(role, workspaceAddresses(addresses))).toEqual(ways)
})

it.each<Role>(['CLINICIAN', 'ADMIN', 'PATIENT'])(
  'a %s finds the same ways in the same order at every service',
  (role) => {
    const elsewhere = workspaceParts({ roles: new Set([role]) }, addresses).map(({ href }) => href)
    const here = waysOf(role, workspaceAddresses(addresses)).map((href) => new URL(href, addresses.auth).href)
    expect(here).toEqual(elsewhere)
  },
)

it('nobody is led away from an app that waits, nor to pages where they could not sign in', () => {
  expect(waysOf('ADMIN')).toEqual(['/portal', '/account/apps'])
  expect(workspaceAddresses({ ...addresses, bridge: 'http://bridge.cluster:8443' })).not.toHaveProperty('bridge')
})
