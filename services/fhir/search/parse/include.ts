import type { Include } from '../ast.ts'
import type { ParseContext } from './parse-context.ts'
import { oneOf, refuse } from './refuse.ts'
import { splitModifier } from './split-modifier.ts'

/** `_include=Observation:subject:Patient`, `_revinclude:iterate=Provenance:target`, `Observation:*` or `*`. */
export function parseInclude(name: string, value: string, context: ParseContext): Include {
  const { code, modifier } = splitModifier(name)
  // STU3 called it :recurse, and clients still write it.
  if (modifier !== undefined && modifier !== 'iterate' && modifier !== 'recurse') {
    throw refuse(name, 'has an unknown modifier; it may have :iterate.')
  }
  const direction = code === '_include' ? 'forward' : 'reverse'
  const iterate = modifier !== undefined
  if (value === '*') return { direction, source: undefined, parameter: undefined, target: undefined, iterate }
  const [source = '', parameter = '', target, ...more] = value.split(':')
  if (!context.definitions.resourceTypes.has(source) || parameter === '' || more.length > 0) {
    throw refuse(name, 'needs a value of the form Type:parameter, Type:parameter:TargetType, Type:* or *.')
  }
  if (target !== undefined && !context.definitions.resourceTypes.has(target)) {
    throw refuse(name, 'names a target type that does not exist.')
  }
  if (parameter === '*') return { direction, source, parameter: undefined, target, iterate }
  const definition = context.definitions.parameter(source, parameter)
  if (definition?.type !== 'reference') {
    const references = [...context.definitions.parametersOf(source).values()]
      .filter(({ type }) => type === 'reference')
      .map((each) => each.code)
    throw refuse(name, `must name a reference of ${source}: ${oneOf(references)}.`)
  }
  return { direction, source, parameter, target, iterate }
}
