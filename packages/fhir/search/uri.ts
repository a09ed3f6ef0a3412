import type { Convert } from './index-value.ts'

/** Addresses are compared as they are written, to the letter. */
export function uriConvert(type: string): Convert | undefined {
  if (type !== 'uri' && type !== 'url' && type !== 'canonical') return undefined
  return (node, into) => {
    if (typeof node === 'string') into.push({ kind: 'uri', uri: node })
  }
}
