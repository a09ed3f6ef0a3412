import { keyText } from './keys.ts'
import type { Key, Write } from './mapped.ts'

/** A number that a message gives several of its resources finds none of them. */
export function withUnsharedKeys(writes: readonly Write[]): readonly Write[] {
  if (writes.every(({ otherKeys }) => otherKeys === undefined)) return writes
  const holders = new Map<string, number>()
  for (const write of writes)
    for (const key of [write.key, ...(write.otherKeys ?? [])]) {
      const name = nameOf(write, key)
      holders.set(name, (holders.get(name) ?? 0) + 1)
    }
  return writes.map((write) => {
    if (write.otherKeys === undefined) return write
    const otherKeys = write.otherKeys.filter((key) => holders.get(nameOf(write, key)) === 1)
    return otherKeys.length === write.otherKeys.length ? write : { ...write, otherKeys }
  })
}

const nameOf = ({ resource }: Write, key: Key): string => `${resource.resourceType} ${keyText(key)}`
