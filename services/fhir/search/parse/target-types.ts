import type { SearchParameter } from '../../../../packages/fhir/definitions.ts'

/**
 * The types that a reference may lead to; none means any. `patient` is declared for Patient and Group wherever it
 * shares a definition, but its path keeps only references to patients.
 */
export function targetTypesOf({ branches = [], targets = [] }: SearchParameter): readonly string[] {
  const resolved = branches.map(({ steps }) => {
    const step = steps.find((each) => typeof each === 'object' && 'resolvesTo' in each)
    return typeof step === 'object' && 'resolvesTo' in step ? step.resolvesTo : undefined
  })
  const known = resolved.filter((type) => type !== undefined)
  return known.length > 0 && known.length === resolved.length ? [...new Set(known)] : targets
}

export function mayRefer(parameter: SearchParameter, type: string): boolean {
  const types = targetTypesOf(parameter)
  return types.length === 0 || types.includes(type)
}
