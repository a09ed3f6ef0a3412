import type { DeclaredClient } from './client-fields.ts'
import { declareClients } from './declare.ts'

/** The client of our own pages: those of the bridge, the consent and the referral service sign in with it. */
export const workspaceClientId = 'corridor-workspace'

const servicesWithPages = ['bridge', 'consent', 'referral']

/** Declared in every mode, because it has no secret and leads nowhere but to our own services. */
export function workspaceClients(addresses: Readonly<Record<string, string>>): readonly DeclaredClient[] {
  const redirectUris = servicesWithPages.flatMap((name) => {
    const address = addresses[name]
    return address === undefined ? [] : [`${address}/sign-in/callback`]
  })
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
