import type { KeyObject } from 'node:crypto'
import { usableKeys, type Keys } from './usable-keys.ts'

/** Where verification keys come from. */
export interface KeySet {
  /** The key of this kid, or undefined when the issuer has none. */
  find(kid: string): Promise<KeyObject | undefined>
  /** Grows whenever the keys change, so that what was verified with the old ones is forgotten. */
  readonly version: number
}

/** What a JWKS document holds, as far as its reader may rely on it. */
export interface JsonWebKeys {
  readonly keys: readonly object[]
}

/**
 * The keys of an issuer in the same process. Given a function, the set follows it: it must return the same object as
 * long as nothing changed (`KeyStore.publicKeys` does).
 */
export function localKeySet(jwks: JsonWebKeys | (() => JsonWebKeys)): KeySet {
  const read = typeof jwks === 'function' ? jwks : () => jwks
  let source: JsonWebKeys | undefined
  let keys: Keys = new Map()
  let version = 0

  function follow(): void {
    const latest = read()
    if (latest === source) return
    keys = usableKeys(latest)
    source = latest
    version++
  }

  return {
    async find(kid) {
      follow()
      return keys.get(kid)
    },
    get version() {
      follow()
      return version
    },
  }
}
