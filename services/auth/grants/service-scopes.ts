import { incorrect } from '../../../packages/faults/fault.ts'
import { intersectAll } from '../../../packages/smart/intersect.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import type { Client } from '../store/clients.ts'

/** What clients may do in their own name. */
export class ServiceScopes {
  /** Of those that name nothing, which most do: worked out once for each record that is read of a client. */
  readonly #whole = new WeakMap<Client, string>()

  granted(wanted: string | undefined, client: Client): string {
    if (wanted !== undefined) return printed(intersectAll(parseScopes(wanted), registered(client)))
    const whole = this.#whole.get(client) ?? printed(registered(client))
    this.#whole.set(client, whole)
    return whole
  }
}

const registered = ({ scope }: Client) =>
  parseScopes(scope).filter((known) => known.kind === 'resource' && known.context === 'system')

function printed(scopes: ReturnType<typeof parseScopes>): string {
  if (scopes.length > 0) return printScopes(scopes)
  throw incorrect('None of these scopes is registered for the client.', { code: 'invalid_scope' })
}
