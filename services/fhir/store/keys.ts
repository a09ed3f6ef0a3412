import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** 64 bits as PostgreSQL's bigint prints them: that is how they are sent, come back and are compared here. */
export type Key = string

/** How a text becomes a key: `hash64`, or the same with a memory. */
export type KeyOf = (text: string) => Key

/** The key of a resource: rows are found by it without asking which number `Type/id` has. */
export const resourceKey = (type: string, id: string, keyOf: KeyOf = hash64): Key => keyOf(`${type}/${id}`)

/** The `system` of a token or quantity. */
export const systemKey = (system: string | undefined, keyOf: KeyOf = hash64): Key =>
  system === undefined ? noSystem : keyOf(system)

/** The `target` of a reference that is an address and no resource of this server. */
export const addressKey = (url: string): Key => hash64(url)

/** What a value without a system has in its place. */
export const noSystem: Key = '0'

/** The `param` of a search parameter of a type. A suffix names what is derived from it, such as `:identifier`. */
export function parameterKey(type: string, code: string): number {
  return Number.parseInt(hash('sha256', `${type}.${code}`).slice(0, 8), 16) | 0
}

export function hash64(text: string): Key {
  return keyOfDigest(hash('sha256', text))
}

/** Of a SHA-256 in hexadecimal digits. */
export function keyOfDigest(digest: string): Key {
  // Of the ways to get 64 bits out of a hash the quickest here: 0.9 µs, half of reading them from a buffer.
  return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString()
}

/** For whoever makes the keys of many rows: systems come in every resource, and a target several times in one. */
export function rememberedKeys(): KeyOf {
  const known = new LRUCache<string, Key>({ max: keysMax })
  return (text) => {
    if (text.length > textMax) return hash64(text)
    let key = known.get(text)
    if (key === undefined) known.set(text, (key = hash64(text)))
    return key
  }
}

const keysMax = 2_000
const textMax = 200
