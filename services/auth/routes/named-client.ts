import { decodeJwt } from 'jose'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { basicCredentials, type ClientFields } from '../grants/authenticate-client.ts'

/**
 * Only to count and to note: it is what the caller says, not what is proven. It is read as the proof is read, or one
 * client's secret could be guessed under ever new names.
 */
export function namedClient(request: IncomingRequest, fields: NamingFields): string {
  const { client_id: id, client_assertion: assertion, refresh_token: refresh } = fields
  const named = basicCredentials(request)?.clientId ?? id ?? claimOf(assertion, 'iss') ?? claimOf(refresh, 'client_id')
  return named?.slice(0, 100) ?? ''
}

export type NamingFields = ClientFields & { readonly refresh_token?: string | undefined }

function claimOf(jwt: string | undefined, name: 'iss' | 'client_id'): string | undefined {
  if (jwt === undefined || jwt === '') return undefined
  try {
    const claim = decodeJwt(jwt)[name]
    return typeof claim === 'string' ? claim : undefined
  } catch {
    return undefined
  }
}
