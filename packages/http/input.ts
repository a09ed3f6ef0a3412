import { Ajv, type ValidateFunction } from 'ajv'
import { Type, type TSchema } from 'typebox'
import { incorrect, type FaultField } from '../faults/fault.ts'
import { failedFields } from './field-message.ts'
import { textFormats } from './formats.ts'
import type { Pairs } from './pairs.ts'
import type { Input, Shape } from './route.ts'
import { valueOfText } from './text-value.ts'

export interface RawInput {
  readonly params: Pairs
  readonly query: Pairs
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
  /** A form knows only texts, and a field of it may be repeated. */
  readonly bodyIsForm: boolean
}

export interface CheckedInput {
  readonly params: object
  readonly query: object
  readonly headers: object
  readonly body: unknown
}

export type InputChecker = (raw: RawInput) => CheckedInput

/**
 * Makes the check of one route's input. Texts from the address and the headers are read as what their schema says;
 * a body is never: `"true"` in JSON is a text. Whatever fails, in whichever part, is named in one answer.
 */
export function inputChecker(
  input: Input,
  options: { strictQuery: boolean; openQuery?: boolean },
  ajv: Ajv,
): InputChecker {
  const parts = (['params', 'query', 'headers'] as const).map((part) => textChecker(part, input[part] ?? {}, ajv))
  const body = input.body === undefined ? undefined : { schema: input.body, validate: ajv.compile(input.body) }
  const isOpen = options.openQuery === true
  return (raw) => {
    const failed: FaultField[] = []
    const [params = {}, query = {}, headers = {}] = parts.map((part) =>
      part.check(raw[part.name], { strict: options.strictQuery && part.name === 'query', isOpen }, failed),
    )
    const value = body === undefined ? undefined : raw.bodyIsForm ? formValue(raw.body, body.schema, failed) : raw.body
    const isLeftOut = value === undefined && input.body !== undefined && Type.IsOptional(input.body)
    if (body !== undefined && !isLeftOut) check(body.validate, value, 'body', failed)
    if (failed.length > 0) throw incorrect('The request is not valid.', { fields: failed })
    return { params, query, headers, body: value }
  }
}

/** One for all routes of a server: nothing is coerced, every fault is found, unknown formats are an error at start. */
export function makeAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: false,
    useDefaults: false,
    verbose: true,
    strictTypes: false,
    // The schemas come from TypeBox; holding them against the schema of schemas costs 30 ms a server and finds nothing.
    validateSchema: false,
    meta: false,
  })
  for (const [name, { holds }] of Object.entries(textFormats)) ajv.addFormat(name, holds)
  ajv.addVocabulary(['x-says'])
  return ajv
}

export function propertiesOf(shape: Shape): Readonly<Record<string, TSchema>> {
  return Type.IsObject(shape) ? shape.properties : shape
}

interface QueryRules {
  readonly strict: boolean
  readonly isOpen: boolean
}

function textChecker(name: 'params' | 'query' | 'headers', shape: Shape, ajv: Ajv) {
  const properties = propertiesOf(shape)
  const schemas = Object.entries(properties)
  const validate = schemas.length === 0 ? undefined : ajv.compile(Type.IsObject(shape) ? shape : Type.Object(shape))
  const known = new Set(Object.keys(properties))
  return {
    name,
    check(raw: RawInput['headers'], { strict, isOpen }: QueryRules, failed: FaultField[]): object {
      const value: Record<string, unknown> = {}
      const before = failed.length
      for (const [field, schema] of schemas) {
        const text = raw[field]
        if (text === undefined) continue
        const isRepeated = typeof text !== 'string'
        if (isRepeated && !isList(schema)) failed.push({ path: field, message: 'is given more than once' })
        else value[field] = valueOfText(text, schema)
      }
      if (name === 'query' && !isOpen) {
        for (const [field, text] of Object.entries(raw)) {
          if (known.has(field)) continue
          if (strict) failed.push({ path: field, message: 'is not a known parameter' })
          else if (typeof text !== 'string') failed.push({ path: field, message: 'is given more than once' })
        }
      }
      if (validate !== undefined && failed.length === before) check(validate, value, name, failed)
      return value
    },
  }
}

function check(validate: ValidateFunction, value: unknown, whole: string, failed: FaultField[]): void {
  if (value === undefined) failed.push({ path: whole, message: 'is required' })
  else if (!validate(value)) failed.push(...failedFields(validate.errors ?? [], whole))
}

/** A field that the schema calls a list is one even when given once; any other may be given only once. */
function formValue(body: unknown, schema: TSchema, failed: FaultField[]): unknown {
  if (typeof body !== 'object' || body === null) return body
  const properties = Type.IsObject(schema) ? schema.properties : {}
  const value: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(body)) {
    const mayRepeat = isList(properties[name])
    if (Array.isArray(given) && !mayRepeat) failed.push({ path: name, message: 'is given more than once' })
    value[name] =
      mayRepeat && typeof given === 'string' ? [given] : Array.isArray(given) && !mayRepeat ? given[0] : given
  }
  return value
}

const isList = (schema: TSchema | undefined) => schema !== undefined && 'type' in schema && schema.type === 'array'
