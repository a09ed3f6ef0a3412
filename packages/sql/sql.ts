import { assert, bug } from '../faults/fault.ts'
import { BinaryArray } from './array-parameter.ts'

/** A piece of SQL with its parameters. Only `sql` makes one, so no text from outside can ever become SQL. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Named statements are prepared once a connection. Single-key statements only: see README.md, "the planner trap". */
  readonly name?: string
  /** The name counts on its own and in a transaction that keeps plans, not in others. */
  readonly isKept?: boolean
}

/** Every `${value}` becomes a parameter; a nested statement is spliced in and its parameters are renumbered. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  assert(Array.isArray(strings.raw) && Object.isFrozen(strings), 'sql is a template tag; do not call it with a string')
  const parts: string[] = [strings[0] ?? '']
  const parameters: unknown[] = []
  const append = (text: string) => parts.push((parts.pop() ?? '') + text)
  for (const [index, value] of values.entries()) {
    const rest = strings[index + 1] ?? ''
    if (Written.is(value)) {
      append(value.parts[0] ?? '')
      parts.push(...value.parts.slice(1))
      parameters.push(...value.values)
    } else {
      parts.push('')
      parameters.push(parameter(value, rest))
    }
    append(rest)
  }
  return new Written(parts, parameters)
}

/** The same statement, prepared once a connection under this name. */
export function named(name: string, statement: Statement): Statement {
  const { parts, values } = written(statement)
  return new Written(parts, values, name)
}

/**
 * The same statement, prepared once a connection, when it runs alone or in a transaction that keeps plans
 * (`{ plans: 'kept' }`): for statements over arrays, whose planning costs more than their work. See README.md, "the
 * planner trap".
 */
export function kept(name: string, statement: Statement): Statement {
  const { parts, values } = written(statement)
  return new Written(parts, values, name, true)
}

/** JSON as text; the statement casts it (`${json(resource)}::jsonb`, `unnest(${resources.map(json)}::jsonb[])`). */
export function json(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined // undefined for a function, a symbol or undefined
  if (text === undefined) throw bug('json() was given something that has no JSON form')
  return text
}

const separators = { ', ': ', ', and: ' and ', or: ' or ', ' ': ' ' } as const

/** Several statements as one, for conditions and columns that depend on the request. */
export function joined(statements: readonly Statement[], separator: keyof typeof separators): Statement {
  assert(statements.length > 0, 'joined() needs at least one statement')
  const parts: string[] = []
  for (const { parts: own } of statements.map(written)) {
    if (parts.length === 0) parts.push(...own)
    else parts.push(parts.pop() + separators[separator] + (own[0] ?? ''), ...own.slice(1))
  }
  return new Written(
    parts,
    statements.flatMap(({ values }) => values),
  )
}

/** What the driver is given. A statement that `sql` did not make is refused here too. */
export function written(statement: Statement): Statement & { readonly parts: readonly string[] } {
  assert(Written.is(statement), 'a statement must be made with the sql template')
  return statement
}

const parametersMax = 65_535

class Written implements Statement {
  readonly values: readonly unknown[]
  declare readonly name?: string
  declare readonly isKept?: boolean
  readonly #parts: readonly string[]

  constructor(parts: readonly string[], values: readonly unknown[], name?: string, isKept = false) {
    assert(values.length <= parametersMax, 'a statement has too many parameters; pass arrays and unnest them')
    this.values = values
    if (name !== undefined) this.name = name
    if (isKept) this.isKept = true
    this.#parts = parts
  }

  /** Put together when it is asked for: of a statement whose plan is kept the server wants only the values. */
  get text(): string {
    return this.#parts.reduce((text, part, index) => `${text}$${index}${part}`)
  }

  get parts(): readonly string[] {
    return this.#parts
  }

  /** A private field cannot be forged: an object that came in as JSON never passes. */
  static is(value: unknown): value is Written {
    return typeof value === 'object' && value !== null && #parts in value
  }
}

/** `rest` is what follows the parameter: its cast, if it has one. */
function parameter(value: unknown, rest = ''): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      assert(!Number.isNaN(value), 'a parameter is not a number (NaN)')
      return value
    case 'object':
      return value === null ? null : objectParameter(value, rest)
    case 'undefined':
      throw bug('a parameter is undefined; write null when no value is meant')
    case 'function':
    case 'symbol':
      break
  }
  throw bug(`a ${typeof value} cannot be a parameter`)
}

function objectParameter(value: object, rest: string): unknown {
  if (Array.isArray(value)) return BinaryArray.of(value, rest) ?? value.map((item) => parameter(item))
  // The driver would write the local time with whole minutes of offset, which is wrong for old dates in many zones.
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value)) return value
  throw bug('an object cannot be a parameter; pass json(value) and cast it in the statement')
}
