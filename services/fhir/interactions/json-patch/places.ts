import { cannotApply } from './faults.ts'
import type { Pointer } from './pointer.ts'

export type Json = string | number | boolean | null | object

export function readAt(document: Json, pointer: Pointer, index: number): Json {
  let place = document
  for (const step of pointer) {
    const next = memberOf(place, step)
    if (next === undefined) throw nothingThere(index)
    place = next
  }
  return place
}

/** Into a list before the place that is named, `-` behind the last; into an object under the name, whatever was there. */
export function addAt(document: Json, pointer: Pointer, value: Json, index: number): Json {
  const { container, step } = containerOf(document, pointer, index)
  if (container === undefined) return value
  if (Array.isArray(container)) {
    const at = step === '-' ? container.length : placeInList(step)
    if (at === undefined || at > container.length) throw nothingThere(index)
    container.splice(at, 0, value)
  } else container[step] = value
  return document
}

export function removeAt(document: Json, pointer: Pointer, index: number): Json {
  const { container, step } = containerOf(document, pointer, index)
  if (container === undefined) throw cannotApply(index, 'removes the resource itself')
  if (memberOf(container, step) === undefined) throw nothingThere(index)
  if (Array.isArray(container)) container.splice(Number(step), 1)
  else delete container[step]
  return document
}

export function replaceAt(document: Json, pointer: Pointer, value: Json, index: number): Json {
  const { container, step } = containerOf(document, pointer, index)
  if (container === undefined) return value
  if (memberOf(container, step) === undefined) throw nothingThere(index)
  if (Array.isArray(container)) container[Number(step)] = value
  else container[step] = value
  return document
}

type Container = Json[] | Record<string, Json>

/** Where the last step leads into; none for the whole document. */
function containerOf(
  document: Json,
  pointer: Pointer,
  index: number,
): { container: Container | undefined; step: string } {
  const step = pointer.at(-1)
  if (step === undefined) return { container: undefined, step: '' }
  const container = readAt(document, pointer.slice(0, -1), index)
  if (!Array.isArray(container) && !isPlainObject(container)) throw nothingThere(index)
  return { container, step }
}

function memberOf(place: Json, step: string): Json | undefined {
  if (Array.isArray(place)) {
    const at = placeInList(step)
    return at === undefined ? undefined : (place[at] as Json | undefined)
  }
  return isPlainObject(place) && Object.hasOwn(place, step) ? place[step] : undefined
}

/** A decimal that is kept as written is an object of its own class and counts as a value. */
export const isPlainObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** RFC 6901: digits without a zero in front. */
const placeInList = (step: string) => (/^(0|[1-9][0-9]{0,8})$/.test(step) ? Number(step) : undefined)

const nothingThere = (index: number) => cannotApply(index, 'names a place that is not in the resource')
