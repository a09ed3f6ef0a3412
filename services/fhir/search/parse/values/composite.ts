import type { SearchParameter } from '../../../../../packages/fhir/definitions.ts'
import type { SoughtComposite } from '../../ast.ts'
import { splitAt } from '../escapes.ts'
import type { ParseContext } from '../parse-context.ts'
import { refuse } from '../refuse.ts'
import { parsePlain } from './plain.ts'
import { parseReferenceValue } from './reference.ts'

/** `loinc|8480-6$gt140`: one value a component, separated by $. */
export function parseComposite(
  text: string,
  parameter: SearchParameter,
  name: string,
  context: ParseContext,
): SoughtComposite {
  const components = parameter.components ?? []
  const texts = splitAt(text, '$')
  if (texts.length !== components.length) {
    throw refuse(
      name,
      `needs ${components.length} values separated by $: ${components.map(({ code }) => code).join('$')}.`,
    )
  }
  const parts = components.map(({ type }, position) => {
    const part = texts[position] ?? ''
    return type === 'reference'
      ? parseReferenceValue(part, parameter, undefined, name, context)
      : parsePlain(part, type, name, context)
  })
  return { kind: 'composite', parts }
}
