import type { Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { isContent } from '../../packages/http/content.ts'
import { unreachable } from '../../packages/faults/fault.ts'
import type { AttackedRoute } from './world/attacked-route.ts'

const word = 'poisoned-by-the-caller'
const number = 918_273_645
const moment = '1971-02-03T04:05:06.000Z'
const uuid = '9182736a-4591-4827-a645-918273645918'
const poisons = [word, String(number), moment.slice(0, 10), uuid]

type Kind = 'text' | 'number' | 'moment' | 'uuid' | 'flag'
const valueOf = (kind: Kind): unknown => {
  switch (kind) {
    case 'text':
      return word
    case 'number':
      return number
    case 'moment':
      return moment
    case 'uuid':
      return uuid
    case 'flag':
      return true
    default:
      return unreachable(kind)
  }
}

/**
 * What a caller may not say: every column of the service's tables, by both of its names, and every field of its answers,
 * less what the body declares. The values are such as occur nowhere else.
 */
export async function poisonedFields(target: AttackedRoute, database: Database): Promise<Record<string, unknown>> {
  const columns = await database.many<{ name: string; type: string }>(sql`
    select distinct column_name as name, data_type as type
    from information_schema.columns where table_schema = ${target.service}`)
  const fields = new Map<string, unknown>(answerFields(target.route.output).map((name) => [name, word]))
  for (const { name, type } of columns) {
    const value = valueOf(kindOf(type))
    fields.set(name, value)
    fields.set(
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    )
  }
  for (const name of declaredIn(target.route.input?.body)) fields.delete(name)
  return Object.fromEntries(fields)
}

/** The poisons that a text holds. */
export const poisonsIn = (text: string): string[] => poisons.filter((poison) => text.includes(poison))

/** Every table of the service that holds one of them. */
export async function poisonIn(service: string, database: Database): Promise<string[]> {
  const tables = await database.many<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = ${service} and table_type = 'BASE TABLE'`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.many<{ row: string }>(sql`
      select query_to_xml(format('select * from %I.%I limit 2000', ${service}::text, ${name}::text), true, true, '')::text
        as row`)
    found.push(...poisonsIn(rows.map(({ row }) => row).join()).map((poison) => `${service}.${name} holds ${poison}`))
  }
  return found
}

function kindOf(type: string): Kind {
  if (type === 'boolean') return 'flag'
  if (type === 'uuid') return 'uuid'
  if (/^(timestamp|date)/.test(type)) return 'moment'
  return /int|numeric|double/.test(type) ? 'number' : 'text'
}

function answerFields(outputs: AttackedRoute['route']['output']): string[] {
  return Object.values(outputs).flatMap((output) => (isContent(output) ? [] : declaredIn(output)))
}

/** The names of the properties, at whatever depth. */
export function declaredIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  // Sound: these are the words of JSON Schema, whatever they hold.
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, unknown>
    items?: unknown
    anyOf?: unknown[]
  }
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), items, ...anyOf].flatMap((inner) => declaredIn(inner)),
  ]
}
