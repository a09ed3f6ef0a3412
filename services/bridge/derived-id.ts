import { hash } from 'node:crypto'

/** A UUID (version 8) that follows from what it names: made twice, it is the same. */
export function derivedId(...parts: readonly (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(parts))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
