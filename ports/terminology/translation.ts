import type { Coding, Parameters, ParametersParameter } from '../../packages/fhir/r4.ts'

/** The targets of an answer of `$translate` that say no more than the source did, in the wanted system. */
export function safeTargets({ parameter = [] }: Parameters, target: string): Coding[] {
  return parameter
    .filter(({ name }) => name === 'match')
    .flatMap(({ part = [] }) => {
      const concept = valueOf(part, 'concept')?.valueCoding
      const isSafe = safe.has(wordOf(part) ?? '')
      return isSafe && concept?.code !== undefined && (concept.system ?? target) === target
        ? [{ ...concept, system: target }]
        : []
    })
}

/** R4 says `equivalence`, R5 `relationship`. */
const wordOf = (part: readonly ParametersParameter[]) =>
  valueOf(part, 'equivalence')?.valueCode ?? valueOf(part, 'relationship')?.valueCode

const safe = new Set(['equal', 'equivalent', 'wider', 'subsumes', 'source-is-narrower-than-target'])

const valueOf = (part: readonly ParametersParameter[], name: string) => part.find((one) => one.name === name)
