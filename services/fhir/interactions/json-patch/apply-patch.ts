import { unreachable } from '../../../../packages/faults/fault.ts'
import { isEqualJson } from './equal-json.ts'
import { cannotApply } from './faults.ts'
import type { PatchOperation } from './operations.ts'
import { isPrefix, levelsMax } from './pointer.ts'
import { addAt, isPlainObject, readAt, removeAt, replaceAt, type Json } from './places.ts'

/** Copies of copies double what they copy with every operation: a kilobyte of them would fill any memory. */
export const copiedValuesMax = 100_000

/** RFC 6902: all operations in their order, or none. The document that is given stays as it is. */
export function applyPatch(document: Json, operations: readonly PatchOperation[]): Json {
  const copied = { values: 0 }
  return operations.reduce(
    (patched, operation, index) => applyOne(patched, operation, index, copied),
    structuredCopy(document),
  )
}

function applyOne(document: Json, operation: PatchOperation, index: number, copied: { values: number }): Json {
  const { path } = operation
  switch (operation.op) {
    case 'add':
      return addAt(document, path, structuredCopy(operation.value), index)
    case 'remove':
      return removeAt(document, path, index)
    case 'replace':
      return replaceAt(document, path, structuredCopy(operation.value), index)
    case 'move': {
      const { from } = operation
      if (isPrefix(from, path) && from.length < path.length) {
        throw cannotApply(index, 'moves a value into itself')
      }
      const value = readAt(document, from, index)
      return addAt(removeAt(document, from, index), path, value, index)
    }
    case 'copy': {
      const value = readAt(document, operation.from, index)
      copied.values += valuesIn(value, levelsMax - path.length)
      if (copied.values > copiedValuesMax) {
        throw cannotApply(
          index,
          `copies to deeper than ${levelsMax} levels, or, with those before it, more than ${copiedValuesMax} values`,
        )
      }
      return addAt(document, path, structuredCopy(value), index)
    }
    case 'test':
      if (!isEqualJson(readAt(document, path, index), operation.value)) {
        throw cannotApply(index, 'tests for a value that is not there')
      }
      return document
    default:
      return unreachable(operation)
  }
}

/** Lists and objects anew; what is in them otherwise never changes. */
function structuredCopy(value: Json): Json {
  if (Array.isArray(value)) return value.map(structuredCopy)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, structuredCopy(member)]))
}

/** How many values it is made of, itself included; endless where it has more levels. */
function valuesIn(value: Json, levels: number): number {
  if (levels <= 0) return Infinity
  const members = Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : []
  return members.reduce<number>((count, member) => count + valuesIn(member, levels - 1), 1)
}
