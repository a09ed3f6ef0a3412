import type { Parameters, ParametersParameter } from '../../../../packages/fhir/r4.ts'
import type { Mapping, TerminologySource } from '../source.ts'
import { isSafe, translate } from '../translate.ts'
import { askedCodings, wrong, type OperationInput } from './operation-input.ts'

/** `ConceptMap/$translate`: no translation is an answer (`result` false), not an error. */
export async function translateOperation(input: OperationInput, source: TerminologySource): Promise<Parameters> {
  const map = input.text('url')
  // R5 writes it with a capital S.
  const targetSystem = input.text('targetsystem') ?? input.text('targetSystem')
  const isReverse = input.flag('reverse') ?? false
  const found = await Promise.all(
    askedCodings(input).map(({ code = '', system }) => {
      if (system === undefined) throw wrong('system', 'is needed')
      return translate(
        {
          system,
          code,
          isReverse,
          ...(map === undefined ? {} : { map }),
          ...(targetSystem === undefined ? {} : { targetSystem }),
        },
        source,
      )
    }),
  )
  const matches = found.flat()
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'result', valueBoolean: matches.some(isSafe) },
      ...(matches.length === 0 ? [{ name: 'message', valueString: 'No translation is known here.' }] : []),
      ...matches.map(matchOf),
    ],
  }
}

function matchOf({ equivalence, system, code, display, map }: Mapping): ParametersParameter {
  return {
    name: 'match',
    part: [
      { name: 'equivalence', valueCode: equivalence },
      { name: 'concept', valueCoding: { system, code, ...(display === undefined ? {} : { display }) } },
      { name: 'source', valueUri: map },
    ],
  }
}
