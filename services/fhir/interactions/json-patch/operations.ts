import { incorrect } from '../../../../packages/faults/fault.ts'
import { notAPatch } from './faults.ts'
import { levelsMax, parsePointer, type Pointer } from './pointer.ts'
import type { Json } from './places.ts'

export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer }

const operationsMax = 1_000

/** Reads a patch; everything about it that does not depend on the resource is checked here. */
export function parsePatch(body: unknown): PatchOperation[] {
  if (!Array.isArray(body)) throw incorrect('Send a JSON Patch: a list of operations.', { code: 'INVALID_PATCH' })
  if (body.length > operationsMax) throw incorrect(`A patch may have at most ${operationsMax} operations.`)
  return body.map(parseOperation)
}

function parseOperation(given: unknown, index: number): PatchOperation {
  if (typeof given !== 'object' || given === null) throw notAPatch(index, 'is not an object')
  const { op, path, from } = given as Record<string, unknown>
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      if (!('value' in given)) throw notAPatch(index, 'has no value')
      // Sound: it came out of a JSON parser.
      return { op, path: pointerOf(path, 'path', index), value: given.value as Json }
    }
    case 'remove':
      return { op, path: pointerOf(path, 'path', index) }
    case 'move':
    case 'copy':
      return { op, path: pointerOf(path, 'path', index), from: pointerOf(from, 'from', index) }
    default:
      throw notAPatch(index, 'has an op that is none of add, remove, replace, move, copy and test')
  }
}

function pointerOf(text: unknown, member: string, index: number): Pointer {
  const pointer = typeof text === 'string' ? parsePointer(text) : undefined
  if (pointer === undefined) throw notAPatch(index, `has a ${member} that is not a JSON pointer such as /name/0/family`)
  if (pointer.length > levelsMax) throw notAPatch(index, `has a ${member} of more than ${levelsMax} steps`)
  // Names that reach behind the data are never those of an element.
  if (pointer.some((step) => step === '__proto__' || step === 'constructor' || step === 'prototype')) {
    throw notAPatch(index, `has a ${member} that names no element`)
  }
  return pointer
}
