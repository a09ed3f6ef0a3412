import {
  Type,
  type TArray,
  type TBoolean,
  type TEnum,
  type TInteger,
  type TNull,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
} from 'typebox'

/** The words in which schemas are written. Each makes a TypeBox schema; Type itself serves for the rest. */
interface TextOptions {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  /** What to tell the caller when the pattern does not match: `must be a FHIR id`. */
  readonly says?: string
  readonly description?: string
  readonly optional?: boolean
}

export function text(options: TextOptions & { readonly optional: true }): TOptional<TString>
export function text(options?: TextOptions): TString
export function text(options: TextOptions = {}): TString | TOptional<TString> {
  const schema = Type.String({
    ...(options.min === undefined ? {} : { minLength: options.min }),
    ...(options.max === undefined ? {} : { maxLength: options.max }),
    ...(options.pattern === undefined ? {} : { pattern: options.pattern.source }),
    ...(options.says === undefined ? {} : { 'x-says': options.says }),
    ...described(options),
  })
  return options.optional === true ? Type.Optional(schema) : schema
}

interface NumberOptions {
  readonly min?: number
  readonly max?: number
  readonly description?: string
}

export function integer(options: NumberOptions = {}): TInteger {
  return Type.Integer({
    ...(options.min === undefined ? {} : { minimum: options.min }),
    ...(options.max === undefined ? {} : { maximum: options.max }),
    ...described(options),
  })
}

interface Described {
  readonly description?: string
}

/** True or false; in a query the words `true` and `false`. */
export const flag = (options: Described = {}): TBoolean => Type.Boolean(described(options))

/** A day: `2026-03-04`. */
export const day = (options: Described = {}): TString => Type.String({ format: 'date', ...described(options) })

/** A moment with its offset: `2026-03-04T05:06:07Z`. */
export const instant = (options: Described = {}): TString => Type.String({ format: 'date-time', ...described(options) })

export const uuid = (options: Described = {}): TString => Type.String({ format: 'uuid', ...described(options) })

export const fhirId = (): TString => text({ pattern: /^[A-Za-z0-9.-]{1,64}$/, says: 'must be a FHIR id' })

/** One of the given words: a plain `enum`, which yields one clear message where a union yields one a word. */
export function oneOf<Words extends string[]>(words: readonly [...Words], options: Described = {}): TEnum<Words> {
  return Type.Enum(words, described(options))
}

export function list<Item extends TSchema>(
  of: Item,
  options: { readonly min?: number; readonly max?: number; readonly unique?: boolean } & Described = {},
): TArray<Item> {
  return Type.Array(of, {
    ...(options.min === undefined ? {} : { minItems: options.min }),
    ...(options.max === undefined ? {} : { maxItems: options.max }),
    ...(options.unique === undefined ? {} : { uniqueItems: options.unique }),
    ...described(options),
  })
}

export function object<Properties extends TProperties>(
  properties: Properties,
  options: Described & { readonly closed?: boolean } = {},
): TObject<Properties> {
  return Type.Object(properties, {
    ...(options.closed === true ? { additionalProperties: false } : {}),
    ...described(options),
  })
}

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)

export const orNull = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()])

const described = (options: Described) =>
  options.description === undefined ? {} : { description: options.description }
