import { isLoopbackHost } from '../../../packages/http/request.ts'
import type { DeclaredClient } from './client-fields.ts'
import { declareClients } from './declare.ts'

/** The client of our own pages: those of the bridge, the consent and the referral service sign in with it. */
export const workspaceClientId = 'corridor-workspace'

const servicesWithPages: ReadonlySet<string> = new Set(['bridge', 'consent', 'referral'])

/** A code that travels in the clear is anybody's: pages at such an address have no sign-in. */
const mayHoldCodes = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopbackHost(hostname)
}

/** Where the pages of our other services are, of those that people can sign in at. */
export function workspaceAddresses(addresses: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(addresses).filter(([name, address]) => servicesWithPages.has(name) && mayHoldCodes(address)),
  )
}

/** Declared in every mode, because it has no secret and leads nowhere but to our own services. */
export function workspaceClients(addresses: Readonly<Record<string, string>>): readonly DeclaredClient[] {
  const redirectUris = Object.values(workspaceAddresses(addresses)).map((address) => `${address}/sign-in/callback`)
  if (redirectUris.length === 0) return []
  return declareClients([
    {
      clientId: workspaceClientId,
      clientName: 'Corridor workspace',
      redirectUris,
      scope: 'openid fhirUser profile online_access user/*.cruds',
      isFirstParty: true,
    },
  ])
}
