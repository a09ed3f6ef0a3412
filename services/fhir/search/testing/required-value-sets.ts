import type { Definitions } from '../../../../packages/fhir/definitions.ts'
import type { ValueSets } from '../terminology.ts'

const prefix = 'http://hl7.org/fhir/ValueSet/'

/** The value sets of R4's required bindings, which the definitions hold. Hierarchies are not known here. */
export function requiredValueSets(definitions: Definitions): ValueSets {
  return {
    async codesIn(url) {
      const [address = ''] = url.split('|')
      const codeSet = address.startsWith(prefix) ? definitions.codeSet(address.slice(prefix.length)) : undefined
      if (codeSet === undefined) return undefined
      return Object.entries(codeSet).flatMap(([system, codes]) => codes.map((code) => ({ system, code })))
    },
    codesOfSet: async () => undefined,
    codesBelow: async () => undefined,
    codesAbove: async () => undefined,
  }
}
