import type { KeyDescription, KeyStore } from '../../../packages/keys/key-store.ts'
import { audit } from '../audit/audit.ts'
import { auditDeps, type CliDeps } from './cli-deps.ts'

export type KeyDeps = CliDeps & { readonly signingKeys: KeyStore }

/** `corridor keys list` */
export const listKeys = ({ signingKeys }: Pick<KeyDeps, 'signingKeys'>): readonly KeyDescription[] => signingKeys.list()

/** `corridor keys rotate`: published now, signing after an hour; at once when a key has been stolen. */
export async function rotateKeys(options: { readonly immediately?: boolean }, deps: KeyDeps): Promise<KeyDescription> {
  const made = await deps.signingKeys.rotate(options)
  await audit({ event: 'signing key rotated', reason: made.kid, operator: deps.operator }, auditDeps(deps))
  return made
}

/** `corridor keys remove`: what the key has signed is refused from now on. */
export async function removeKey(kid: string, deps: KeyDeps): Promise<void> {
  await deps.signingKeys.remove(kid)
  const removed = { event: 'signing key rotated', reason: `removed ${kid}`, operator: deps.operator } as const
  await audit(removed, auditDeps(deps))
}
