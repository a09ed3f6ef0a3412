import { fold } from '../fold.ts'
import type { Convert, IndexValue } from './index-value.ts'

/** R4 section 3.1.1.4.8: names and addresses are found by any of their parts. */
export function stringConvert(type: string): Convert | undefined {
  switch (type) {
    case 'string':
    case 'markdown':
      return convertText
    case 'HumanName':
      return partsConvert(['text', 'family', 'given', 'prefix', 'suffix'])
    case 'Address':
      return partsConvert(['text', 'line', 'city', 'district', 'state', 'postalCode', 'country'])
    default:
      return undefined
  }
}

function convertText(node: unknown, into: IndexValue[]): void {
  if (typeof node === 'string') into.push({ kind: 'string', text: node, folded: fold(node) })
}

const partsConvert =
  (names: readonly string[]): Convert =>
  (node, into) => {
    if (typeof node !== 'object' || node === null) return
    for (const name of names) {
      const part = (node as Readonly<Record<string, unknown>>)[name]
      if (Array.isArray(part)) for (const item of part) convertText(item, into)
      else convertText(part, into)
    }
  }
