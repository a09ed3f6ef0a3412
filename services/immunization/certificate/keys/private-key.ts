import { assert } from '../../../../packages/faults/fault.ts'
import { keyFrom, openWith, sealWith } from '../../../../packages/keys/sealed-box.ts'

/**
 * A private key as it lies in the table: sealed with the operator's secret, so that a copy of the
 * database signs nothing; as it is where no secret is set, protected as the database is.
 */
export function storedPrivateKey(jwk: string, secret: string | undefined): string {
  return secret === undefined ? `${open}${jwk}` : sealed + sealWith(keyFrom(secret, purpose), jwk)
}

export function openPrivateKey(stored: string, secret: string | undefined): string {
  if (isOpen(stored)) return stored.slice(open.length)
  assert(stored.startsWith(sealed) && secret !== undefined, 'a sealed key needs its secret')
  return openWith(keyFrom(secret, purpose), stored.slice(sealed.length))
}

/** Whether it lies there as it is. */
export const isOpen = (stored: string): boolean => stored.startsWith(open)

const open = 'open:'
const sealed = 'sealed:'
const purpose = 'corridor immunization keys'
