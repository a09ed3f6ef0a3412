import { assert } from '../faults/fault.ts'
import type { Key } from './key.ts'

/** Keys in groups, as deep as needed: `{ auth: { port: port({ … }) } }` is the key `auth.port`. */
export interface Schema {
  readonly [name: string]: Key<unknown> | Schema
}

/** The effective configuration that a schema describes. */
export type ConfigurationOf<S extends Schema> = {
  readonly [Name in keyof S]: S[Name] extends Key<infer Value>
    ? Value
    : S[Name] extends Schema
      ? ConfigurationOf<S[Name]>
      : never
}

export interface NamedKey {
  /** `auth.accessTokenSeconds` */
  readonly path: string
  /** `CORRIDOR_AUTH_ACCESS_TOKEN_SECONDS` */
  readonly variable: string
  readonly key: Key<unknown>
}

/** Every key of the schema in its written order. Two keys that would share one variable are a bug of the schema. */
export function keysOf(schema: Schema): readonly NamedKey[] {
  const keys = walk(schema, '')
  const variables = new Set(keys.map(({ variable }) => variable))
  assert(variables.size === keys.length, 'two configuration keys share one environment variable')
  return keys
}

export function isKey(node: Key<unknown> | Schema): node is Key<unknown> {
  return 'isKey' in node && node.isKey === true
}

/** `auth.accessTokenSeconds` becomes `CORRIDOR_AUTH_ACCESS_TOKEN_SECONDS`. */
export function variableOf(path: string): string {
  const words = path.replaceAll('.', '_').replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
  return `CORRIDOR_${words.toUpperCase()}`
}

function walk(schema: Schema, prefix: string): NamedKey[] {
  return Object.entries(schema).flatMap(([name, node]) => {
    const path = `${prefix}${name}`
    return isKey(node) ? [{ path, variable: variableOf(path), key: node }] : walk(node, `${path}.`)
  })
}
