import type { AuthMethod, Client } from '../store/clients.ts'

/** What a client is told that proves itself by another way than the one it is registered for; undefined where it does not. */
export function otherWay({ authMethods }: Pick<Client, 'authMethods'>, tried: AuthMethod): string | undefined {
  if (authMethods.includes(tried)) return undefined
  return authMethods.includes('none')
    ? 'This client is registered as a public one: it sends its client_id and nothing that proves it.'
    : `This client is registered for ${authMethods.join(' or ')}, not for ${tried}.`
}
