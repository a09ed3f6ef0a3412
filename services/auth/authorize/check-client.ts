import { incorrect } from '../../../packages/faults/fault.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Parameters } from '../store/authorization-requests.ts'
import { findActiveClient, type Client } from '../store/clients.ts'

/** Never redirected: without a known client there is nowhere safe to go. */
export async function checkClient(
  parameters: Parameters,
  { database }: { readonly database: Database },
): Promise<Client> {
  const clientId = parameters['client_id']
  if (clientId === undefined) throw incorrect('client_id is required.', { code: 'invalid_request' })
  const client = await findActiveClient(clientId, database)
  if (client === undefined) throw incorrect('The client_id is not registered.', { code: 'invalid_client' })
  if (client.grantTypes.includes('authorization_code')) return client
  throw incorrect('This client may not use authorization_code.', { code: 'unauthorized_client' })
}
