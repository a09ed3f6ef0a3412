import { faultOf } from '../../../packages/faults/fault.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { AuthSection } from '../section.ts'
import { servableScopes } from '../servable-scopes.ts'
import { subjectOf } from '../store/users.ts'
import { registeredClient } from './declared-client.ts'
import { checkedUser } from './declared-user.ts'
import { refuseTwice } from './refusals.ts'

/** What a start would refuse of the accounts that are declared, whatever the register holds: a sentence each. */
export async function declarationFaults(
  { clients, users, loopbackKeySets }: Pick<AuthSection, 'clients' | 'users' | 'loopbackKeySets'>,
  mode: 'demo' | 'production',
): Promise<string[]> {
  if (clients.length + users.length === 0) return []
  const isServable = servableScopes(await loadDefinitions())
  const rules = { mode, isServable, allowsLoopbackKeySets: loopbackKeySets }
  const readings = [
    async () => refuseTwice(clients.map(({ clientId }) => clientId)),
    ...clients.map((client) => () => registeredClient(client, 'configuration', rules)),
    async () => refuseTwice(users.map(({ username }) => username.toLowerCase())),
    async () => refuseTwice(users.map(({ fhirUser }) => subjectOf(fhirUser))),
    ...users.map((user) => () => checkedUser(user, mode)),
  ]
  const faults = await Promise.all(
    readings.map((read) =>
      read().then(
        () => [],
        (thrown: unknown) => [faultOf(thrown).shown],
      ),
    ),
  )
  return faults.flat()
}
