import { readFile } from 'node:fs/promises'
import { incorrect } from '../../../packages/faults/fault.ts'
import { demoSecretHash } from '../secrets/demo-hashes.ts'
import type { NewClient } from '../store/clients.ts'
import type { IsServable } from '../servable-scopes.ts'
import type { Source } from '../store/users.ts'
import { clientFaults, pageFaults } from './client-rules.ts'
import { secretHashOf } from './client-secret.ts'
import type { DeclaredClient } from './client-fields.ts'

interface RegistrationRules {
  readonly mode: 'demo' | 'production'
  readonly allowsLoopbackKeySets: boolean
  readonly isServable: IsServable
}

/** A declared client as the register keeps it; everything wrong with it is said at once. */
export async function registeredClient(
  declared: DeclaredClient,
  source: Source,
  rules: RegistrationRules,
): Promise<NewClient> {
  const client: NewClient = {
    ...declared,
    clientName: declared.clientName ?? declared.clientId,
    launchUri: declared.launchUri ?? null,
    // Sound: clientFaults refuses every word that is not one of the types.
    grantTypes: declared.grantTypes as NewClient['grantTypes'],
    authMethods: declared.authMethods as NewClient['authMethods'],
    roles: declared.roles as NewClient['roles'],
    secretHash: await declaredSecret(declared, rules),
    jwks: readJwks(declared),
    jwksUri: declared.jwksUri ?? null,
    organisation: declared.organisation ?? null,
    allowedOrigins: originsOf([...declared.redirectUris, ...declared.allowedOrigins]),
    accessTokenSeconds: declared.accessTokenSeconds === 0 ? null : declared.accessTokenSeconds,
    refreshTokenSeconds: declared.refreshTokenSeconds === 0 ? null : declared.refreshTokenSeconds,
    logoUri: declared.logoUri ?? null,
    policyUri: declared.policyUri ?? null,
    tosUri: declared.tosUri ?? null,
    source,
  }
  const wrong = [...clientFaults(client, rules), ...originFaults(declared.allowedOrigins)]
  if (wrong.length > 0) throw refused(declared.clientId, wrong.join('; '))
  return client
}

async function declaredSecret(declared: DeclaredClient, { mode }: RegistrationRules): Promise<string | null> {
  const { clientId, clientSecretHash, clientSecretFile } = declared
  if (clientSecretFile !== undefined) {
    const secret = await readFile(clientSecretFile, 'utf8').catch(() => {
      throw refused(clientId, `the file ${clientSecretFile} with its secret cannot be read`)
    })
    return secretHashOf(secret.trimEnd(), { mode, clientId })
  }
  if (clientSecretHash === undefined) return null
  if (!/^sha256:[A-Za-z0-9_-]{43}$/.test(clientSecretHash)) {
    throw refused(clientId, 'clientSecretHash must be sha256: and 43 characters of base64url')
  }
  if (mode === 'production' && clientSecretHash === demoSecretHash) {
    const why =
      "clientSecretHash is the demo's, whose secret everybody knows; give it one of its own in clientSecretFile"
    throw refused(clientId, why)
  }
  return clientSecretHash
}

function readJwks({ jwks, clientId }: DeclaredClient): NewClient['jwks'] {
  if (jwks === undefined) return null
  try {
    // Sound: clientFaults looks at what it holds.
    return JSON.parse(jwks) as NewClient['jwks']
  } catch (error) {
    throw incorrect(`The client ${clientId} cannot be registered: jwks is not JSON.`, { cause: error })
  }
}

/** As of redirect addresses: a page that came without TLS may be anybody's, and it would hold the tokens. */
const originFaults = (origins: readonly string[]): string[] =>
  origins.flatMap((origin) => {
    if (originsOf([origin]).length === 0) {
      return [`allowedOrigins must be origins such as https://app.example, not ${origin}`]
    }
    return pageFaults(`allowedOrigins: ${origin}`, origin)
  })

/** Pages of these origins may call the token endpoint. A native app's own scheme is no origin. */
export function originsOf(addresses: readonly string[]): string[] {
  const origins = addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin)
  return [...new Set(origins.filter((origin) => origin !== 'null'))]
}

const refused = (clientId: string, why: string) =>
  incorrect(`The client ${clientId} cannot be registered: ${why}.`, { code: 'REGISTRATION_REFUSED' })
