import { oneOf } from '../../../packages/testkit/cases.ts'
import type { JsonSchema } from '../world/json-schema.ts'
import { sampleText } from '../world/sample-value.ts'
import { anyText, oddTexts, strangeNumber, strangeText, strangeValue, type Make } from './strange-values.ts'

/** Values about a schema: most fit, some nearly do (a bound passed, a field left out or added), some are anything. */
export function schemaValue(schema: JsonSchema, known: readonly string[]): Make<unknown> {
  const [fitting, near] = [fittingValue(schema, known), nearValue(schema)]
  return (choose) => {
    const kind = choose(18)
    if (kind < 15) return fitting(choose)
    return kind < 17 ? near(choose) : strangeValue(choose)
  }
}

function fittingValue(schema: JsonSchema, known: readonly string[]): Make<unknown> {
  const { minimum = -2_147_483_648, maximum = 2_147_483_647, minItems = 0, anyOf } = schema
  if (schema.enum !== undefined) return from(schema.enum)
  if (anyOf !== undefined) return either(anyOf.map((one) => fittingValue(one, known)))
  switch (schema.type) {
    case 'string':
      return fittingText(schema, known)
    case 'integer':
    case 'number':
      return (choose) => minimum + choose(maximum - minimum + 1)
    case 'boolean':
      return from([false, true])
    case 'array': {
      const item = schemaValue(schema.items ?? {}, known)
      return (choose) => Array.from({ length: minItems + choose(Math.max(5 - minItems, 1)) }, () => item(choose))
    }
    case 'object':
      return objectOf(schema, known)
    case 'null':
      return () => null
    case undefined:
    default:
      return strangeValue
  }
}

function fittingText(schema: JsonSchema, known: readonly string[]): Make<string> {
  const pattern = new RegExp(schema.pattern ?? '', 'u')
  const fits = (text: string) => text.length <= (schema.maxLength ?? Infinity) && pattern.test(text)
  const [sample, named] = [sampleText(schema), known.filter(fits)]
  const found = from(named.length === 0 ? [sample] : named)
  if (schema.pattern !== undefined || schema.format !== undefined) return either([() => sample, found])
  const any: Make<string> = (choose) => anyText(choose, Math.min(schema.maxLength ?? 40, 200), 0xd800)
  return either([found, any, from([...oddTexts.filter(fits), 'x'])])
}

/** One step past what the schema says, and what only looks like it. */
function nearValue(schema: JsonSchema): Make<unknown> {
  const { minimum = 0, maximum = 2 ** 31, maxLength = 300, maxItems = 50 } = schema
  switch (schema.type) {
    case 'integer':
    case 'number':
      return either([from([minimum - 1, maximum + 1, 0.5, String(maximum), -0]), strangeNumber])
    case 'string':
      return either([from(['', ' ', 'x'.repeat(maxLength), 'é'.repeat(maxLength + 1)]), strangeText])
    case 'boolean':
      return from(['true', 1, 0, 'yes', null])
    case 'array':
      return from<unknown>([[], Array.from({ length: maxItems + 1 }, () => 'x'), { 0: 'x', length: 1 }, 'x'])
    case 'object':
      return from<unknown>([{}, [], [{}], 'x', null])
    case undefined:
    default:
      return strangeValue
  }
}

/** Fields that must be there are missing now and then, and there are some that nobody has asked for. */
function objectOf({ properties = {}, required = [] }: JsonSchema, known: readonly string[]): Make<object> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const make = schemaValue(schema, known)
    return { name, isRequired: required.includes(name), make }
  })
  return (choose) => {
    const isThere = (isRequired: boolean) => (isRequired ? choose(20) < 19 : choose(2) === 1)
    const present = fields.filter(({ isRequired }) => isThere(isRequired))
    const added = choose(2) === 0 ? [] : [[oneOf(choose, addedNames), strangeValue(choose)] as const]
    // Made from pairs: only so is a field named __proto__ one of the object's own.
    return Object.fromEntries([...present.map(({ name, make }) => [name, make(choose)] as const), ...added])
  }
}

const addedNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'id', 'version', '', '$ref']

const from =
  <Value>(values: readonly Value[]): Make<Value> =>
  (choose) =>
    oneOf(choose, values)

const either =
  <Value>(makes: readonly Make<Value>[]): Make<Value> =>
  (choose) =>
    oneOf(choose, makes)(choose)
