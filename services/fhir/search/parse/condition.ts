import type { SearchParameter } from '../../../../packages/fhir/definitions.ts'
import { Fault } from '../../../../packages/faults/fault.ts'
import type { Chain, Condition, Has } from '../ast.ts'
import { splitAt } from './escapes.ts'
import { knownNames, type KnowsName } from './known-names.ts'
import { Lookups } from './lookups.ts'
import type { ParseContext } from './parse-context.ts'
import { oneOf, refuse } from './refuse.ts'
import { splitModifier } from './split-modifier.ts'
import { mayRefer, targetTypesOf } from './target-types.ts'
import { parseValue } from './values/value.ts'
import { adviceFor, valuesOf } from './values-of.ts'
import { choosesSearched, isSupported, searchesText } from './unsupported.ts'

/** A name that the searched type does not have. Lenient callers leave the parameter out and say so. */
export class UnknownParameter extends Fault {
  constructor(name: string, message: string) {
    const { message: shown, code, fields } = refuse(name, message)
    super('incorrect', shown, { fields, ...(code === undefined ? {} : { code }) })
    this.name = 'UnknownParameter'
  }
}

/**
 * Reads one parameter of a query as a condition on resources of the types.
 *
 * @param types for all of them the name means the same.
 * @param lookups what the whole search may still look up.
 */
export function parseCondition(
  types: readonly string[],
  name: string,
  value: string,
  context: ParseContext,
  lookups = new Lookups(context.limits),
): Condition {
  const [type = ''] = types
  return conditionAt(name, { type, typeCount: types.length, value, context, whole: name, depth: 1, lookups })
}

/** @param name what is left of it behind chains. */
function conditionAt(name: string, step: Step): Condition {
  const { context, whole, depth, lookups } = step
  if (depth > context.limits.depthMax) {
    throw refuse(whole, `follows more than ${context.limits.depthMax - 1} references; that is the limit.`)
  }
  lookups.takeOne(whole)
  if (name.startsWith('_has:')) return parseHas(name, step)
  const dot = name.indexOf('.')
  if (dot !== -1) return parseChain(name.slice(0, dot), name.slice(dot + 1), step)
  return parsePlainCondition(name, step)
}

interface Step {
  readonly type: string
  /** This one and others for which the name means the same. */
  readonly typeCount: number
  readonly value: string
  readonly context: ParseContext
  /** The name as the caller wrote it, for refusals. */
  readonly whole: string
  readonly depth: number
  readonly lookups: Lookups
  /** Made by the first chain. */
  readonly knows?: KnowsName
}

function parsePlainCondition(name: string, { type, typeCount, value, context, whole, lookups }: Step): Condition {
  const { code, modifier } = splitModifier(name)
  const parameter = parameterOf(type, code, context, whole)
  checkModifier(parameter, modifier, context, whole)
  if (modifier === 'missing') {
    if (value !== 'true' && value !== 'false') throw refuse(whole, 'must be true or false.')
    return { kind: 'missing', parameter, isMissing: value === 'true' }
  }
  const texts = splitAt(value, ',')
  if (texts.length > context.limits.alternativesMax) {
    throw refuse(whole, `has more than ${context.limits.alternativesMax} alternatives; that is the limit.`)
  }
  const anyOf = texts.map((text) => parseValue(text, parameter, modifier, whole, context))
  const count = valuesOf(anyOf, { parameter, typeCount, definitions: context.definitions })
  lookups.takeValues(whole, count, adviceFor(parameter))
  return { kind: 'match', parameter, negated: modifier === 'not' || modifier === 'not-in', anyOf }
}

/** `subject:Patient.name`: of the types that the reference may lead to, those that have the rest of the name count. */
function parseChain(head: string, rest: string, step: Step): Chain {
  const { type, context, whole, depth, lookups, knows = knownNames(step.context) } = step
  const { code, modifier } = splitModifier(head)
  const parameter = parameterOf(type, code, context, whole)
  if (parameter.type !== 'reference') throw refuse(whole, `chains through ${code}, which is not a reference.`)
  const possible = modifier === undefined ? targetTypesOf(parameter) : [modifier]
  if (possible.length === 0) throw refuse(whole, `may lead to any type; write which, such as ${code}:Patient.${rest}.`)
  if (modifier !== undefined) checkTargetType(parameter, modifier, context, whole)
  const known = possible.filter((target) => knows(target, rest))
  const targets: Chain['targets'][number][] = []
  let refusal: unknown
  // Where no type has it, one is enough to say so.
  for (const target of known.length === 0 ? possible.slice(-1) : known) {
    try {
      targets.push({
        type: target,
        condition: conditionAt(rest, { ...step, type: target, typeCount: 1, depth: depth + 1, knows }),
      })
    } catch (thrown) {
      if (!(thrown instanceof Fault) || lookups.areSpent) throw thrown
      // A mistake in a known parameter says more than that another type lacks it.
      if (refusal === undefined || refusal instanceof UnknownParameter) refusal = thrown
    }
  }
  if (targets.length === 0) throw refusal
  return { kind: 'chain', parameter, targets }
}

/** `_has:Observation:patient:code`: the resource is referred to by such a one. */
function parseHas(name: string, step: Step): Has {
  const { type, context, whole, depth } = step
  const [, source = '', code = '', ...more] = name.split(':')
  const rest = more.join(':')
  if (!context.definitions.resourceTypes.has(source)) {
    throw refuse(whole, 'must name a resource type first, such as _has:Observation:patient:code.')
  }
  if (rest === '') throw refuse(whole, 'must have the form _has:Type:reference:parameter.')
  const parameter = parameterOf(source, code, context, whole)
  if (parameter.type !== 'reference') throw refuse(whole, `goes through ${source}.${code}, which is not a reference.`)
  if (!mayRefer(parameter, type)) {
    throw refuse(whole, `goes through ${source}.${code}, which never refers to a ${type}.`)
  }
  const condition = conditionAt(rest, { ...step, type: source, typeCount: 1, depth: depth + 1 })
  return { kind: 'has', source, parameter, condition }
}

function parameterOf(type: string, code: string, { definitions }: ParseContext, whole: string): SearchParameter {
  if (searchesText(code)) throw refuse(whole, 'is not supported: this server does not search text or expressions.')
  if (choosesSearched(code)) throw refuse(whole, 'is not supported by this server.')
  const parameter = definitions.parameter(type, code)
  if (parameter === undefined) throw new UnknownParameter(whole, `is not known for ${type}.`)
  if (!isSupported(parameter)) throw refuse(whole, 'is not supported by this server.')
  return parameter
}

function checkModifier(
  parameter: SearchParameter,
  modifier: string | undefined,
  context: ParseContext,
  whole: string,
): void {
  if (modifier === undefined || allowedModifiers(parameter).includes(modifier)) return
  if (parameter.type === 'reference' && context.definitions.resourceTypes.has(modifier)) {
    checkTargetType(parameter, modifier, context, whole)
    return
  }
  if (allowedModifiers(parameter).length === 0)
    throw refuse(whole, `has a modifier that ${parameter.code} does not take; it takes none.`)
  const allowed = oneOf(allowedModifiers(parameter).map((word) => `:${word}`))
  const types = parameter.type === 'reference' ? ', or the type of the target such as :Patient' : ''
  throw refuse(whole, `has a modifier that a ${parameter.type} does not have; it may have ${allowed}${types}.`)
}

/** Hierarchies of resources (Location.partOf) are not indexed, so references have no `:above` and `:below` here. */
function allowedModifiers({ code, type, modifiers }: SearchParameter): readonly string[] {
  if (type === 'reference') return modifiers.filter((modifier) => modifier !== 'above' && modifier !== 'below')
  if (code === '_id') return ['not']
  if (code === '_lastUpdated') return []
  return modifiers
}

function checkTargetType(parameter: SearchParameter, type: string, context: ParseContext, whole: string): void {
  if (!context.definitions.resourceTypes.has(type)) throw refuse(whole, 'names a resource type that does not exist.')
  if (!mayRefer(parameter, type)) {
    throw refuse(whole, `never refers to a ${type}; ${parameter.code} refers to ${oneOf(targetTypesOf(parameter))}.`)
  }
}
