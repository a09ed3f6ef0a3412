import type { Parameters, ParametersParameter } from '../../../../packages/fhir/r4.ts'
import { notKnown } from '../not-known.ts'
import type { Mapping, TerminologySource } from '../source.ts'
import { isSafe, translate } from '../translate.ts'
import { codesOf, keyOf } from '../value-set-codes.ts'
import { neededCanonical, ofEachCoding, wrong, type OperationInput } from './operation-input.ts'

/** `ConceptMap/$translate`: no translation is an answer (`result` false), not an error. */
export async function translateOperation(input: OperationInput, source: TerminologySource): Promise<Parameters> {
  const map = input.text('url') === undefined ? undefined : neededCanonical(input, 'conceptMapVersion')
  if (map !== undefined && (await source.conceptMap(map)) === undefined) {
    throw await notKnown('ConceptMap', map, source)
  }
  const isSource = await membersOf(input, 'source', source)
  const isTarget = await membersOf(input, 'target', source)
  // R5 writes it with a capital S.
  const targetSystem = input.text('targetsystem') ?? input.text('targetSystem')
  const isReverse = input.flag('reverse') ?? false
  const found = await ofEachCoding(input, async ({ code = '', system }) => {
    if (system === undefined) throw wrong('system', 'is needed')
    if (!isSource({ system, code })) return []
    const known = await translate(
      {
        system,
        code,
        isReverse,
        ...(map === undefined ? {} : { map }),
        ...(targetSystem === undefined ? {} : { targetSystem }),
      },
      source,
    )
    return known.filter(isTarget)
  })
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

/** Whether a code is in the value set; where none is named, every code will do. */
async function membersOf(input: OperationInput, name: 'source' | 'target', source: TerminologySource) {
  const valueSet = input.text(name)
  const set = valueSet === undefined ? undefined : await codesOf(valueSet, source, input.newWork())
  if (valueSet !== undefined && set === undefined) throw await notKnown('ValueSet', valueSet, source)
  const members = set === undefined ? undefined : new Set(set.codes.map(keyOf))
  return (concept: { readonly system: string; readonly code: string }) =>
    members === undefined || members.has(keyOf(concept))
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
