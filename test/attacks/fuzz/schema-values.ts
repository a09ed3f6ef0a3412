import * as fc from 'fast-check'
import type { JsonSchema } from '../world/json-schema.ts'
import { sampleText } from '../world/sample-value.ts'
import { oddTexts, strangeNumbers, strangeTexts, strangeValues } from './strange-values.ts'

/** Values about a schema: most fit, some nearly do (a bound passed, a field left out or added), some are anything. */
export function schemaValues(schema: JsonSchema, known: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 15, arbitrary: fittingValues(schema, known) },
    { weight: 2, arbitrary: nearValues(schema) },
    { weight: 1, arbitrary: strangeValues },
  )
}

function fittingValues(schema: JsonSchema, known: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => fittingValues(one, known)))
  switch (schema.type) {
    case 'string':
      return fittingTexts(schema, known)
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -2_147_483_648, max: schema.maximum ?? 2_147_483_647 })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(schemaValues(schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'object':
      return objects(schema, known)
    case 'null':
      return fc.constant(null)
    case undefined:
    default:
      return strangeValues
  }
}

function fittingTexts(schema: JsonSchema, known: readonly string[]): fc.Arbitrary<string> {
  const fits = (text: string) =>
    text.length <= (schema.maxLength ?? Infinity) && new RegExp(schema.pattern ?? '', 'u').test(text)
  const named = known.filter(fits)
  const sample = fc.constant(sampleText(schema))
  const found = named.length === 0 ? sample : fc.constantFrom(...named)
  if (schema.pattern !== undefined || schema.format !== undefined) return fc.oneof(sample, found)
  const any = fc.string({ unit: 'grapheme', maxLength: Math.min(schema.maxLength ?? 40, 200) })
  return fc.oneof(found, any, fc.constantFrom(...oddTexts.filter(fits), 'x'))
}

/** One step past what the schema says, and what only looks like it. */
function nearValues(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 2 ** 31, maxLength = 300, maxItems = 50 } = schema
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.constantFrom(minimum - 1, maximum + 1, 0.5, String(maximum), -0), strangeNumbers)
    case 'string':
      return fc.oneof(fc.constantFrom('', ' ', 'x'.repeat(maxLength), 'é'.repeat(maxLength + 1)), strangeTexts)
    case 'boolean':
      return fc.constantFrom('true', 1, 0, 'yes', null)
    case 'array':
      return fc.constantFrom(
        [],
        Array.from({ length: maxItems + 1 }, () => 'x'),
        { 0: 'x', length: 1 },
        'x',
      )
    case 'object':
      return fc.constantFrom({}, [], [{}], 'x', null)
    case undefined:
    default:
      return strangeValues
  }
}

/** Fields that must be there are missing now and then, and there are some that nobody has asked for. */
function objects({ properties = {}, required = [] }: JsonSchema, known: readonly string[]): fc.Arbitrary<object> {
  const present = (name: string) => (required.includes(name) ? fc.nat(19).map((chance) => chance > 0) : fc.boolean())
  const declared = Object.entries(properties).map(([name, schema]) =>
    fc.tuple(fc.constant(name), present(name), schemaValues(schema, known)),
  )
  const added = fc.array(fc.tuple(fc.constantFrom(...addedNames), strangeValues), { maxLength: 1 })
  return fc.tuple(fc.tuple(...declared), added).map(([fields, more]) =>
    // Made from pairs: only so is a field named __proto__ one of the object's own.
    Object.fromEntries([...fields.filter(([, isThere]) => isThere).map(([name, , value]) => [name, value]), ...more]),
  )
}

const addedNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'id', 'version', '', '$ref']
