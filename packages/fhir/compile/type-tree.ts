import type { CompiledElement, CompiledType } from '../compiled.ts'

export type Types = Readonly<Record<string, CompiledType>>

/** An element of a type, also if it is inherited. */
export function findElement(type: string, name: string, types: Types): CompiledElement | undefined {
  const definition = types[type]
  if (definition === undefined) return undefined
  const own = definition.elements.find((element) => element.name === name)
  return own ?? (definition.base === undefined ? undefined : findElement(definition.base, name, types))
}

/** The type itself or one that is derived from it. */
export function isKindOf(type: string, ancestor: string, types: Types): boolean {
  if (type === ancestor) return true
  const base = types[type]?.base ?? primitiveBases[type]
  return base !== undefined && isKindOf(base, ancestor, types)
}

/** Primitive types that are special cases of another, as the data types page of R4 draws them. */
const primitiveBases: Readonly<Record<string, string>> = {
  canonical: 'uri',
  url: 'uri',
  oid: 'uri',
  uuid: 'uri',
  code: 'string',
  id: 'string',
  markdown: 'string',
  positiveInt: 'integer',
  unsignedInt: 'integer',
}
