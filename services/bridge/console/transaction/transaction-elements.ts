import { wholeResource } from '../../mapping/merge.ts'
import type { Write } from '../../mapping/mapped.ts'

/** Of a leaf of a resource: the number of its write and its path, `0.name[0].family`. */
export type ElementId = string

export interface Element {
  readonly id: ElementId
  readonly path: string
  readonly value: string
}

/** The leaves of what a message says of a resource, in the order of the resource. */
export function elementsOf(write: Write, number: number): Element[] {
  const { resourceType: _, ...said } = wholeResource(write)
  return leavesOf(said, '').map(({ path, value }) => ({ id: `${number}.${path}`, path, value }))
}

function leavesOf(value: unknown, path: string): { path: string; value: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`))
  }
  return value === undefined ? [] : [{ path, value: typeof value === 'string' ? value : JSON.stringify(value) }]
}
