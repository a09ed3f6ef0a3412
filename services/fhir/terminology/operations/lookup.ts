import { missing } from '../../../../packages/faults/fault.ts'
import type { Parameters } from '../../../../packages/fhir/r4.ts'
import { requireVersion } from '../require-version.ts'
import type { TerminologySource } from '../source.ts'
import { isKnownUnit } from '../ucum.ts'
import { askedCodings, wrong, type OperationInput } from './operation-input.ts'

/** `CodeSystem/$lookup`: what is known about a code. */
export async function lookup(input: OperationInput, source: TerminologySource): Promise<Parameters> {
  const [asked] = askedCodings(input)
  const { system, code } = asked ?? {}
  if (code === undefined || system === undefined) throw wrong('system', 'is needed')
  if (system === 'http://unitsofmeasure.org' && isKnownUnit(code)) return answerOf('UCUM', code)
  const facts = await source.codeSystem(system)
  if (facts === undefined) throw missing(`The code system ${system} is not known here.`)
  await requireVersion(system, input.text('version') ?? asked?.version, source)
  const concept = await source.concept(system, code)
  if (concept === undefined) throw missing(`The code system ${facts.name} has no code ${code} here.`)
  return answerOf(facts.name, concept.display ?? code, facts.version, concept.parents)
}

function answerOf(name: string, display: string, version?: string, parents: readonly string[] = []): Parameters {
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'name', valueString: name },
      ...(version === undefined ? [] : [{ name: 'version', valueString: version }]),
      { name: 'display', valueString: display },
      ...parents.map(parentProperty),
    ],
  }
}

const parentProperty = (parent: string) => ({
  name: 'property',
  part: [
    { name: 'code', valueCode: 'parent' },
    { name: 'value', valueCode: parent },
  ],
})
