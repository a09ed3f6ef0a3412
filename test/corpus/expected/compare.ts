import { assert } from '../../../packages/faults/fault.ts'
import type { NaiveMessage } from './naive-message.ts'
import { readings } from './readings.ts'
import type { Alternative, Rule, Step, Term } from './rule.ts'

export type CodeTables = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface Compared {
  readonly rule: string
  readonly expected: readonly string[]
  readonly found: readonly string[]
  readonly isEqual: boolean
}

/** Compares an element of the resources with what the message says at the places that the rule names. */
export function compare(rule: Rule, resources: readonly object[], message: NaiveMessage, tables: CodeTables): Compared {
  const ofType = resources.filter((one) => 'resourceType' in one && one.resourceType === rule.resource)
  const meant = rule.index === undefined ? ofType : ofType.slice(rule.index, rule.index + 1)
  const found = meant.flatMap((one) => valuesAt(one, rule.path))
  const expected = rule.terms.flatMap((term) => valuesOf(term, message, tables))
  const isEqual = found.length === expected.length && found.every((value, index) => value === expected[index])
  return { rule: rule.text, expected, found, isEqual }
}

/** The values of an element, through all lists on the way, as texts. */
function valuesAt(node: unknown, path: readonly Step[]): string[] {
  if (Array.isArray(node)) return node.flatMap((item) => valuesAt(item, path))
  const [step, ...rest] = path
  if (step === undefined) return node === undefined ? [] : [shown(node)]
  if (typeof node !== 'object' || node === null) return []
  const inner = (node as Readonly<Record<string, unknown>>)[step.name]
  if (inner === undefined) return []
  const items: readonly unknown[] = Array.isArray(inner) ? inner : [inner]
  return valuesAt(
    items.filter((item) => fits(item, step)),
    rest,
  )
}

function fits(item: unknown, { where }: Step): boolean {
  if (where === undefined) return true
  const values = valuesAt(
    item,
    where.path.map((name) => ({ name, where: undefined })),
  )
  const has = values.some((value) => value === where.value || value.endsWith(`/${where.value}`))
  return has !== where.isNot
}

const shown = (value: unknown): string => {
  const text: unknown = typeof value === 'string' ? value : JSON.stringify(value)
  assert(typeof text === 'string', 'an element has a value')
  return text
}

function valuesOf({ alternatives, condition }: Term, message: NaiveMessage, tables: CodeTables): readonly string[] {
  if (condition !== undefined) {
    const isThere = message.valuesAt(condition.place).some((raw) => clean(raw) !== '')
    if (isThere === condition.isUnless) return []
  }
  for (const alternative of alternatives) {
    const values = alternativeOf(alternative, message, tables)
    if (values.length > 0) return values
  }
  return []
}

function alternativeOf(one: Alternative, message: NaiveMessage, tables: CodeTables): readonly string[] {
  if (one.literal !== undefined) return [one.literal]
  const raw = message.valuesAt(one.place).filter((value) => clean(value) !== '')
  const reading = one.by === undefined ? undefined : readings[one.by]
  const table = one.by === undefined ? undefined : tables.get(one.by)
  assert(one.by === undefined || reading !== undefined || table !== undefined, `nobody knows how to read ${one.by}`)
  if (reading !== undefined) return raw.flatMap(reading).map(clean)
  if (table !== undefined)
    return raw.map((value) => table.get(clean(value).toUpperCase())).filter((v) => v !== undefined)
  return raw.map(clean)
}

/** `""` says nothing here, and the escapes are those that occur. */
const clean = (raw: string): string =>
  raw === '""'
    ? ''
    : raw
        .replaceAll('\\T\\', '&')
        .replaceAll('\\S\\', '^')
        .replaceAll('\\F\\', '|')
        .replaceAll('\\R\\', '~')
        .replaceAll('\\E\\', '\\')
        .trim()
