import { incorrect } from '../../../packages/faults/fault.ts'
import { intersectAll } from '../../../packages/smart/intersect.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import type { Scope } from '../../../packages/smart/scope.ts'
import type { IsServable } from '../servable-scopes.ts'
import type { Client } from '../store/clients.ts'

/** What clients may do in their own name. */
export class ServiceScopes {
  /** Of those that name nothing, which most do: worked out once for each record that is read of a client. */
  readonly #whole = new WeakMap<Client, string>()
  readonly #isServable: IsServable

  constructor(isServable: IsServable) {
    this.#isServable = isServable
  }

  granted(wanted: string | undefined, client: Client): string {
    if (wanted !== undefined) return this.#printed(intersectAll(parseScopes(wanted), registered(client)))
    const whole = this.#whole.get(client) ?? this.#printed(registered(client))
    this.#whole.set(client, whole)
    return whole
  }

  #printed(scopes: readonly Scope[]): string {
    const servable = scopes.filter(this.#isServable)
    if (servable.length > 0) return printScopes(servable)
    throw incorrect('None of these scopes is registered for the client.', { code: 'invalid_scope' })
  }
}

const registered = ({ scope }: Client) =>
  parseScopes(scope).filter((known) => known.kind === 'resource' && known.context === 'system')
