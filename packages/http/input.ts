import { Ajv, type ValidateFunction } from 'ajv'
import { Type, type TSchema } from 'typebox'
import { invalid, type FaultField } from '../faults/fault.ts'
import { failedFields } from './field-message.ts'
import { textFormats } from './formats.ts'
import { madeOnce } from './made-once.ts'
import { shownFieldsMax, type Pairs } from './pairs.ts'
import type { Input, Shape } from './route.ts'
import { soundOf, type Sound } from './sound.ts'
import { valueOfText } from './text-value.ts'

interface RawInput {
  readonly params: Pairs
  readonly query: Pairs
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
  /** A form knows only texts, and a field of it may be repeated. */
  readonly bodyIsForm: boolean
}

interface CheckedInput {
  readonly params: object
  readonly query: object
  readonly headers: object
  readonly body: unknown
}

/** `alsoWrong` is asked where something is wrong anyway: one answer then names also what no schema can say. */
type InputChecker = (raw: RawInput, alsoWrong?: (sound: Sound) => readonly FaultField[]) => CheckedInput

/**
 * Makes the check of one route's input. Texts from the address and the headers are read as what their schema says;
 * a body is never: `"true"` in JSON is a text. Whatever fails, in whichever part, is named in one answer. Schemas are
 * compiled with the first request that needs them: to compile those of all routes takes a third of a server's start.
 */
export function inputChecker(
  input: Input,
  options: { strictQuery: boolean; openQuery?: boolean },
  ajv: Ajv,
): InputChecker {
  const params = textChecker('params', input.params ?? {}, ajv)
  const query = textChecker('query', input.query ?? {}, ajv, options)
  const headers = textChecker('headers', input.headers ?? {}, ajv)
  const body = input.body === undefined ? undefined : bodyChecker(input.body, ajv)
  return (raw, alsoWrong) => {
    const failed: FaultField[] = []
    const checked = {
      params: params(raw.params, failed),
      query: query(raw.query, failed),
      headers: headers(raw.headers, failed),
      body: body?.(raw, failed),
    }
    if (failed.length === 0) return checked
    // A full answer shows no more, and what was cut off it may be of any field: nobody knows which of them are sound.
    if (alsoWrong !== undefined && failed.length < shownFieldsMax)
      failed.push(...beyondSchemas(checked, failed, alsoWrong))
    throw invalid(...failed.slice(0, shownFieldsMax))
  }
}

function beyondSchemas(
  checked: CheckedInput,
  failed: readonly FaultField[],
  alsoWrong: (sound: Sound) => readonly FaultField[],
): readonly FaultField[] {
  const sound = soundOf(checked, failed)
  if (sound === undefined) return []
  // What its schema says of a field is enough said of it.
  return alsoWrong(sound).filter(({ path }) => failed.every((one) => one.path !== path))
}

/** One for all routes of a server: nothing is coerced, every fault is found, unknown formats are an error. */
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
  readonly strictQuery: boolean
  readonly openQuery?: boolean
}

/** Undeclared parameters are looked at only where there are rules for them. */
function textChecker(name: 'params' | 'query' | 'headers', shape: Shape, ajv: Ajv, rules?: QueryRules) {
  const properties = propertiesOf(shape)
  const schemas = Object.entries(properties)
  const validation = madeOnce(() => ajv.compile(Type.IsObject(shape) ? shape : Type.Object(shape)))
  const known = new Set(Object.keys(properties))
  return (raw: RawInput['headers'], failed: FaultField[]): object => {
    const value: Record<string, unknown> = {}
    const misplaced: FaultField[] = []
    for (const [field, schema] of schemas) {
      const text = raw[field]
      if (text === undefined) continue
      const isRepeated = typeof text !== 'string'
      if (isRepeated && !isList(schema)) misplaced.push({ path: field, message: 'is given more than once' })
      else value[field] = valueOfText(text, schema)
    }
    if (rules !== undefined && rules.openQuery !== true) {
      for (const field of Object.keys(raw)) {
        if (known.has(field)) continue
        if (rules.strictQuery) misplaced.push({ path: field, message: 'is not a known parameter' })
        else if (typeof raw[field] !== 'string') misplaced.push({ path: field, message: 'is given more than once' })
      }
    }
    const wrong: FaultField[] = []
    if (schemas.length > 0) check(validation(), value, name, wrong)
    // What is there twice was left out above: that it "is required" would not be true.
    failed.push(...misplaced, ...wrong.filter(({ path }) => misplaced.every((one) => one.path !== path)))
    if (name === 'query' && hasUnkeptSign(value)) failed.push(...unkeptSigns(value).slice(0, shownFieldsMax))
    return value
  }
}

function bodyChecker(schema: TSchema, ajv: Ajv) {
  const validation = madeOnce(() => ajv.compile(schema))
  const mayBeLeftOut = Type.IsOptional(schema)
  const lists = listsIn(schema)
  const declared = Type.IsObject(schema) ? new Set(Object.keys(schema.properties)) : undefined
  return ({ body, bodyIsForm }: RawInput, failed: FaultField[]): unknown => {
    const value = bodyIsForm ? formValue(body, lists, failed) : body
    if (value !== undefined || !mayBeLeftOut) check(validation(), value, 'body', failed)
    const taken = declared === undefined ? value : declaredFields(value, declared)
    if (hasUnkeptSign(taken)) failed.push(...unkeptSigns(taken).slice(0, shownFieldsMax))
    return taken
  }
}

/** What a body says beside its declared fields does not reach `run`: nobody can set what they were not asked for. */
function declaredFields(value: unknown, declared: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
  if (names.every((name) => declared.has(name))) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => declared.has(name)))
}

function check(validate: ValidateFunction, value: unknown, whole: string, failed: FaultField[]): void {
  if (value === undefined) failed.push({ path: whole, message: 'is required' })
  else if (!validate(value)) failed.push(...failedFields(validate.errors ?? [], whole).slice(0, shownFieldsMax))
}

/** Asked of every body: to know where such a sign stands costs five times as much as to know that there is none. */
function hasUnkeptSign(value: unknown): boolean {
  if (typeof value === 'string') return unkeptSign(value) !== undefined
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnkeptSign)
}

/** Texts with a sign that no database keeps: it would refuse the whole and not say which, or keep another. */
function unkeptSigns(value: unknown, path = ''): FaultField[] {
  if (typeof value === 'string') {
    const sign = unkeptSign(value)
    return sign === undefined ? [] : [{ path, message: `must not hold ${sign}` }]
  }
  if (typeof value !== 'object' || value === null) return []
  const pathOf = (name: string) => (Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`)
  return Object.entries(value).flatMap(([name, inner]) => unkeptSigns(inner, pathOf(name)))
}

function unkeptSign(text: string): string | undefined {
  if (text.includes('\0')) return 'the sign U+0000'
  return text.isWellFormed() ? undefined : 'half of a character (a lone surrogate)'
}

/** A field that the schema calls a list is one even when given once; any other may be given only once. */
function formValue(body: unknown, lists: ReadonlySet<string>, failed: FaultField[]): unknown {
  if (typeof body !== 'object' || body === null) return body
  const value: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(body)) {
    const isRepeated = Array.isArray(given)
    if (lists.has(name)) value[name] = isRepeated ? given : [given]
    else value[name] = isRepeated ? given[0] : given
    if (isRepeated && !lists.has(name)) failed.push({ path: name, message: 'is given more than once' })
  }
  return value
}

function listsIn(schema: TSchema): ReadonlySet<string> {
  const properties = Type.IsObject(schema) ? Object.entries(schema.properties) : []
  return new Set(properties.filter(([, property]) => isList(property)).map(([name]) => name))
}

const isList = (schema: TSchema) => 'type' in schema && schema.type === 'array'
