import type { Definitions } from '../../definitions.ts'
import { administrationRules } from './administration.ts'
import { bundleRules } from './bundle.ts'
import { clinicalRules } from './clinical.ts'
import { dataTypeRules } from './data-types.ts'
import { domainResourceRules } from './domain-resource.ts'
import type { Rule, Rules } from './rule.ts'

const own: Rules = { ...dataTypeRules, ...administrationRules, ...clinicalRules, ...bundleRules }

/** The invariants of a type: those of the types that Corridor writes, and those that hold everywhere. */
export function rulesOf(type: string, definitions: Definitions): readonly Rule[] {
  const inherited = definitions.type(type)?.base === 'DomainResource' ? domainResourceRules : []
  return [...inherited, ...(own[type] ?? [])]
}
