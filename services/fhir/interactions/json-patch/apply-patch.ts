import { unreachable } from '../../../../packages/faults/fault.ts'
import { isEqualJson } from './equal-json.ts'
import { cannotApply } from './faults.ts'
import type { PatchOperation } from './operations.ts'
import { isPrefix } from './pointer.ts'
import { addAt, readAt, removeAt, replaceAt, type Json } from './places.ts'

/** RFC 6902: all operations in their order, or none. The document that is given stays as it is. */
export function applyPatch(document: Json, operations: readonly PatchOperation[]): Json {
  return operations.reduce((patched, operation, index) => applyOne(patched, operation, index), structuredCopy(document))
}

function applyOne(document: Json, operation: PatchOperation, index: number): Json {
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
    case 'copy':
      return addAt(document, path, structuredCopy(readAt(document, operation.from, index)), index)
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

/** A decimal that is kept as written is an object of its own class and counts as a value. */
const isPlainObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
