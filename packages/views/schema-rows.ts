export interface SchemaRow {
  /** Dotted, with `[]` for the items of a list: `provision.actors[].reference`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string | undefined
}

/** The members of a JSON Schema as rows that a person can read, nested ones below their parent. */
export function schemaRows(schema: unknown, depthMax = 4): SchemaRow[] {
  return membersOf(schema, '', depthMax)
}

/** The type of a schema in words: `text (uuid)`, `one of "permit", "deny"`, `list of Consent`. */
export function typeInWords(schema: unknown): string {
  if (!isObject(schema)) return 'anything'
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return alternatives(choices)
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map((value) => JSON.stringify(value)).join(', ')}`
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (schema['type'] === 'array') return `list of ${typeInWords(schema['items'])}`
  if (Array.isArray(schema['type'])) return alternatives(schema['type'].map((type: unknown) => ({ type })))
  const word = typeof schema['type'] === 'string' ? (typeWords[schema['type']] ?? schema['type']) : 'anything'
  return typeof schema['format'] === 'string' ? `${word} (${schema['format']})` : word + limitsOf(schema)
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
}

function alternatives(choices: readonly unknown[]): string {
  const constants = choices.map((choice) => (isObject(choice) && 'const' in choice ? choice['const'] : undefined))
  return constants.every((constant) => constant !== undefined)
    ? `one of ${constants.map((constant) => JSON.stringify(constant)).join(', ')}`
    : [...new Set(choices.map(typeInWords))].join(' or ')
}

function limitsOf(schema: Record<string, unknown>): string {
  const { maxLength, minimum, maximum } = schema
  const limits = [
    typeof maxLength === 'number' && `at most ${maxLength} characters`,
    typeof minimum === 'number' && `from ${minimum}`,
    typeof maximum === 'number' && `to ${maximum}`,
  ].filter((limit) => limit !== false)
  return limits.length === 0 ? '' : `, ${limits.join(' ')}`
}

function membersOf(schema: unknown, path: string, depth: number): SchemaRow[] {
  if (!isObject(schema) || depth === 0) return []
  if (isObject(schema['items'])) return membersOf(schema['items'], `${path}[]`, depth)
  const { properties, required } = schema
  if (!isObject(properties)) return []
  const mandatory: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(properties).flatMap(([key, member]) => {
    const name = path === '' ? key : `${path}.${key}`
    return [rowOf(name, member, mandatory.includes(key))].concat(membersOf(member, name, depth - 1))
  })
}

function rowOf(name: string, member: unknown, required: boolean): SchemaRow {
  const description = isObject(member) ? member['description'] : undefined
  return {
    name,
    type: typeInWords(member),
    required,
    description: typeof description === 'string' ? description : undefined,
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
