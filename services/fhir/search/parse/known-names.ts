import type { Definitions } from '../../../../packages/fhir/definitions.ts'
import type { ParseContext } from './parse-context.ts'
import { splitModifier } from './split-modifier.ts'
import { mayRefer, targetTypesOf } from './target-types.ts'
import { choosesSearched, searchesText } from './unsupported.ts'

interface KnownNamesContext extends Pick<ParseContext, 'limits'> {
  readonly definitions: Pick<Definitions, 'parameter'>
}

/** Whether resources of the type have what a name asks for, as far as chains lead. */
export type KnowsName = (type: string, name: string) => boolean

/**
 * Remembers what it found out, for one parameter of a query: the ways of a chain are many, but they all go through the
 * same types. What is refused for another reason than being unknown counts as known, so that it is read, and refused.
 */
export function knownNames({ definitions, limits }: KnownNamesContext): KnowsName {
  const known = new Map<string, boolean>()
  const knows = (type: string, name: string, depth: number): boolean => {
    const key = `${type}.${name}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const found = find(type, name, depth)
    known.set(key, found)
    return found
  }
  const find = (type: string, name: string, depth: number): boolean => {
    if (name.startsWith('_has:') || depth > limits.depthMax) return true
    const dot = name.indexOf('.')
    const { code, modifier } = splitModifier(dot === -1 ? name : name.slice(0, dot))
    if (searchesText(code) || choosesSearched(code)) return true
    const parameter = definitions.parameter(type, code)
    if (parameter === undefined) return false
    if (dot === -1 || parameter.type !== 'reference') return true
    if (modifier !== undefined && !mayRefer(parameter, modifier)) return true
    const targets = modifier === undefined ? targetTypesOf(parameter) : [modifier]
    return targets.length === 0 || targets.some((target) => knows(target, name.slice(dot + 1), depth + 1))
  }
  return (type, name) => knows(type, name, 1)
}
