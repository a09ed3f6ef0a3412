import { hash } from 'node:crypto'

/** A UUID of version 5 (RFC 9562 section 5.5): the same for the same name, on every machine and every run. */
export function nameUuid(name: string): string {
  const hex = hash('sha1', bytesOf(name), 'hex')
  const variant = variants.charAt(digits.indexOf(hex.charAt(16)))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The namespace and the name in one piece: for ASCII, which nearly every name is, in one step. */
function bytesOf(name: string): Buffer {
  const whole = `${namespaceSigns}${name}`
  return isAsciiAfterNamespace.test(whole)
    ? Buffer.from(whole, 'latin1')
    : Buffer.concat([namespace, Buffer.from(name)])
}

const isAsciiAfterNamespace = /^[^]{16}[\0-\u007f]*$/
const digits = '0123456789abcdef'
/** The two high bits of this digit are the variant 10, and its two low bits are kept. */
const variants = '89ab89ab89ab89ab'

/** Ours, chosen once; another one would give every resource another id. */
const namespace = Buffer.from('6f1d0f3c5b0e4a7c9d2e8a41c7b35e90', 'hex')
const namespaceSigns = namespace.toString('latin1')
