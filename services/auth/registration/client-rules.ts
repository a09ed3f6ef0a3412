import { isLoopbackHost } from '../../../packages/http/request.ts'
import { parseScope, parseScopes } from '../../../packages/smart/parse.ts'
import { roles } from '../../../packages/tokens/caller.ts'
import type { IsServable } from '../servable-scopes.ts'
import { authMethods, grantTypes, type NewClient } from '../store/clients.ts'
import { keyFaults } from './key-faults.ts'

/** Everything that is wrong with a client, in sentences that say what to do. */
export function clientFaults(
  client: NewClient,
  { allowsLoopbackKeySets, isServable }: { allowsLoopbackKeySets: boolean; isServable: IsServable },
): string[] {
  return [
    ...(canBeClientId(client.clientId)
      ? []
      : ['clientId must be letters, digits, dots, dashes or underscores, 100 at most']),
    ...unknownWords('grantTypes', client.grantTypes, grantTypes),
    ...unknownWords('authMethods', client.authMethods, authMethods),
    ...unknownWords('roles', client.roles, roles),
    ...client.redirectUris.flatMap((uri) => redirectUriFaults(uri)),
    ...(client.launchUri === null ? [] : redirectUriFaults(client.launchUri)),
    ...(['logoUri', 'policyUri', 'tosUri'] as const).flatMap((field) => pageFaults(field, client[field])),
    ...proofFaults(client),
    ...keySetFaults(client, allowsLoopbackKeySets),
    ...(client.grantTypes.includes('authorization_code') && client.redirectUris.length === 0
      ? ['redirectUris is needed for authorization_code (on the command line: --redirect <uri>)']
      : []),
    ...scopeFaults(client, isServable),
    ...(client.organisation === null || isOrganisation(client.organisation)
      ? []
      : ['organisation must be Organization/<id>']),
  ]
}

export const canBeClientId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)

export const isOrganisation = (reference: string): boolean => /^Organization\/[A-Za-z0-9.-]{1,64}$/.test(reference)

function unknownWords(field: string, given: readonly string[], known: readonly string[]): string[] {
  const strange = given.filter((word) => !known.includes(word))
  return strange.length === 0 ? [] : [`${field} must be some of ${known.join(', ')}, not ${strange.join(', ')}`]
}

/** RFC 9700 section 2.1: an exact address; without TLS only on the user's own machine. */
function redirectUriFaults(uri: string): string[] {
  if (!URL.canParse(uri) || uri.includes('#') || uri.includes('*') || /\s/.test(uri)) {
    return [`${uri} must be an absolute address without fragment or wildcard`]
  }
  // RFC 3986; a header cannot hold anything else.
  if (!/^[\x21-\x7e]+$/.test(uri)) return [`${uri} must be written as ${new URL(uri).href}`]
  if (/,\w+:\/\//.test(uri)) return [`${uri} must be one address; name each by itself`]
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return [`${uri} must not hold a user`]
  if (protocol === 'http:' && !isLoopbackHost(hostname)) return [`${uri} must be https; http is for localhost only`]
  if (/^(javascript|data|file|blob|vbscript|about):$/.test(protocol)) return [`${uri} is not an address of an app`]
  return []
}

/** People follow these from the consent page: places of the web, and nothing else. */
export function pageFaults(field: string, uri: string | null): string[] {
  if (uri === null) return []
  if (!URL.canParse(uri)) return [`${field} must be an absolute address`]
  const { protocol, hostname } = new URL(uri)
  const isOfWeb = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
  return isOfWeb ? [] : [`${field} must be https; http is for localhost only`]
}

function proofFaults(client: NewClient): string[] {
  const proves = client.authMethods.filter((method) => method !== 'none')
  if (client.authMethods.length === 0) return ['authMethods must name at least one']
  if (client.grantTypes.includes('client_credentials') && client.authMethods.includes('none')) {
    return [
      'client_credentials needs a client that proves itself: authMethods must be others than none (on the command line: --auth client_secret_basic)',
    ]
  }
  if (proves.length > 0 && client.authMethods.includes('none')) return ['authMethods cannot mix none with others']
  const hasKeys = client.jwks !== null || client.jwksUri !== null
  if (proves.includes('private_key_jwt') && !hasKeys) {
    return ['private_key_jwt needs jwks or jwksUri (on the command line: --jwks <file> or --jwks-uri <uri>)']
  }
  if (proves.some((method) => method.startsWith('client_secret')) && client.secretHash === null) {
    return ['a client secret is needed: clientSecretHash or clientSecretFile']
  }
  return []
}

/** Who asks in its own name is granted system scopes and nothing else; who asks for a user is never granted one. */
function scopeFaults({ scope, grantTypes: grants }: NewClient, isServable: IsServable): string[] {
  const words = scope.split(' ').filter((word) => word !== '')
  const strange = words.filter((word) => parseScope(word) === undefined)
  if (strange.length > 0) return strange.map((word) => `scope has a word that is not a SMART scope: ${word}`)
  const idle = words.filter((word) => !parseScopes(word).every(isServable))
  if (idle.length > 0) return idle.map((word) => `scope has a word for which the FHIR store gives nothing: ${word}`)
  const ofSystem = words.filter((word) => word.startsWith('system/'))
  return [
    ...(grants.includes('client_credentials') && ofSystem.length === 0
      ? ['scope must have a system/ scope for client_credentials (on the command line: --scope "system/*.rs")']
      : []),
    ...(grants.includes('authorization_code') && ofSystem.length === words.length
      ? [
          'scope must have others than system/ scopes for authorization_code (on the command line: --scope "openid fhirUser patient/*.rs")',
        ]
      : []),
  ]
}

function keySetFaults({ jwksUri, jwks }: NewClient, allowsLoopback: boolean): string[] {
  if (jwks !== null && jwksUri !== null) return ['jwks and jwksUri are two ways for the same; give one']
  if (jwks !== null && !(Array.isArray(jwks.keys) && jwks.keys.length > 0)) return ['jwks must hold keys']
  if (jwks !== null) return keyFaults(jwks.keys)
  if (jwksUri === null) return []
  if (!URL.canParse(jwksUri)) return ['jwksUri must be an address']
  const { protocol, hostname } = new URL(jwksUri)
  if (protocol === 'https:' || (protocol === 'http:' && allowsLoopback && isLoopbackHost(hostname))) return []
  return ['jwksUri must be https']
}
