import { bug } from '../../../packages/faults/fault.ts'
import type { JsonSchema } from './json-schema.ts'

/** A value that the schema takes and that names nothing which exists. A schema that nothing fits is a bug of this list. */
export function sampleValue(given: unknown): unknown {
  // Sound: TypeBox schemas are JSON Schema, of which this reads the part that the declarations use.
  const schema = given as JsonSchema
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleValue(schema.anyOf[0])
  switch (schema.type) {
    case 'string':
      return sampleText(schema)
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 987_654_321)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleValue(schema.items))
    case 'object':
      return sampleObject(schema)
    case undefined:
    default:
      return { resourceType: 'Patient' }
  }
}

/** The fields that must be there; a form or a query has nothing else to be refused for. */
export function sampleObject({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, sampleValue(properties[name])]))
}

const texts = [
  'none-of-these',
  'Patient/none-of-these',
  'Practitioner/none-of-these',
  'Organization/none-of-these',
  '1',
  '2026-03-04',
]
const formats: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-03-04',
  'date-time': '2026-03-04T05:06:07Z',
  uri: 'https://nowhere.example/',
}

export function sampleText({ format, pattern, maxLength = 1_000 }: JsonSchema): string {
  if (format !== undefined) return formats[format] ?? unknownSchema(format)
  const found = texts.find((text) => text.length <= maxLength && new RegExp(pattern ?? '').test(text))
  return found ?? unknownSchema(pattern)
}

function unknownSchema(what: string | undefined): never {
  throw bug(`the attack suites know no text of the form ${what}: add one to sample-value.ts`)
}
