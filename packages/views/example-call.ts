import type { DocsOperation } from '../http/docs/docs-model.ts'
import { isObject } from './schema-rows.ts'

/** A curl command that a newcomer can paste, with `$TOKEN` for the access token. */
export function exampleCall(operation: DocsOperation, baseUrl: string): string {
  const { method, path, who, body, parameters } = operation
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}={${name}}`)
  const address = `${baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${address}'`,
    ...(who.startsWith('anyone') ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: ${body.mediaTypes[0] ?? 'application/json'}'`, `-d '${bodyOf(body)}'`]),
  ].join(' \\\n  ')
}

function bodyOf({ schema, mediaTypes }: NonNullable<DocsOperation['body']>): string {
  const example = exampleOf(parsed(schema))
  if (mediaTypes[0] === 'application/x-www-form-urlencoded' && isObject(example)) {
    return Object.entries(example)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join('&')
  }
  return JSON.stringify(example ?? {})
}

/** A value that shows the form: the schema's own example or default where it has one, required members only. */
export function exampleOf(schema: unknown): unknown {
  if (!isObject(schema)) return undefined
  const given: unknown = Array.isArray(schema['examples'])
    ? schema['examples'][0]
    : (schema['default'] ?? schema['const'])
  if (given !== undefined) return given
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return exampleOf(choices[0])
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  return exampleOfType(schema)
}

function exampleOfType(schema: Record<string, unknown>): unknown {
  switch (schema['type']) {
    case 'object':
      return exampleOfObject(schema)
    case 'array':
      return [exampleOf(schema['items'])].filter((item) => item !== undefined)
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1
    case 'boolean':
      return true
    case 'string':
      return formatExamples[String(schema['format'])] ?? 'text'
    default:
      return undefined
  }
}

function exampleOfObject({ properties, required }: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(properties)) return {}
  const mandatory: readonly unknown[] = Array.isArray(required) ? required : []
  const entries = Object.entries(properties).filter(([name]) => mandatory.includes(name))
  return Object.fromEntries(entries.map(([name, member]) => [name, exampleOf(member)]))
}

const formatExamples: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T08:30:00Z',
  uuid: '3f0c9a52-8f0e-4a53-9f0a-0d6d4c1b2a77',
  email: 'someone@example.org',
}

export function parsed(schema: string): unknown {
  return JSON.parse(schema)
}
