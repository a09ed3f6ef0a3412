import { furtherKeysOf, keysOf, keyText } from './keys.ts'
import type { Key, Write } from './mapped.ts'

/** A number that a message gives several of its resources finds none of them. */
export function withUnsharedKeys(writes: readonly Write[]): readonly Write[] {
  // Only among resources of one type can a number be shared, and most types have one number each.
  const types = new Set(writes.filter((write) => furtherKeysOf(write).length > 0).map(typeOf))
  if (types.size === 0) return writes
  const holders = new Map<string, number>()
  for (const write of writes) {
    if (!types.has(typeOf(write))) continue
    for (const key of keysOf(write)) {
      const name = nameOf(write, key)
      holders.set(name, (holders.get(name) ?? 0) + 1)
    }
  }
  return writes.map((write) => {
    const isShared = (key: Key) => holders.get(nameOf(write, key)) !== 1
    if (!furtherKeysOf(write).some(isShared)) return write
    const { otherKeys, exactKeys, ...rest } = write
    return {
      ...rest,
      ...(otherKeys === undefined ? {} : { otherKeys: otherKeys.filter((key) => !isShared(key)) }),
      ...(exactKeys === undefined ? {} : { exactKeys: exactKeys.filter((key) => !isShared(key)) }),
    }
  })
}

const typeOf = ({ resource }: Write): string => resource.resourceType

const nameOf = (write: Write, key: Key): string => `${typeOf(write)} ${keyText(key)}`
