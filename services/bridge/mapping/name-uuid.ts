import { hash } from 'node:crypto'

/** A UUID of version 5 (RFC 9562 section 5.5): the same for the same name, on every machine and every run. */
export function nameUuid(name: string): string {
  // One buffer for both: room for the namespace, then the name.
  const bytes = Buffer.from(`${room}${name}`)
  bytes.set(namespace)
  const hex = hash('sha1', bytes, 'hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}

/** Ours, chosen once; another one would give every resource another id. */
const namespace = Buffer.from('6f1d0f3c5b0e4a7c9d2e8a41c7b35e90', 'hex')
const room = ' '.repeat(namespace.length)
