import type { TSchema } from 'typebox'

/** A short schema in words: `text, at most 256 characters`. */
export function schemaInWords(schema: TSchema): string {
  const { type, format, enum: words, items, minLength, maxLength, minimum, maximum } = schema as Keywords
  if (words !== undefined) return `one of ${words.join(', ')}`
  if (type === 'array') return `list of: ${schemaInWords(items ?? {})}`
  const parts = [(format === undefined ? undefined : formatWords[format]) ?? typeWords[type ?? ''] ?? 'value']
  if (minLength !== undefined && minLength > 1) parts.push(`at least ${minLength} characters`)
  if (maxLength !== undefined) parts.push(`at most ${maxLength} characters`)
  if (minimum !== undefined) parts.push(`at least ${minimum}`)
  if (maximum !== undefined) parts.push(`at most ${maximum}`)
  return parts.join(', ')
}

/** Sound: every TypeBox schema is a plain JSON Schema; these are the keywords that its builders write. */
interface Keywords {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly items?: TSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
}

const formatWords: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'date and time',
  uuid: 'UUID',
}
