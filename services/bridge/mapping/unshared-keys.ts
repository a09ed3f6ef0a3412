import { keysOf, keyText } from './keys.ts'
import type { Key, Write } from './mapped.ts'

/** A number that a message gives several of its resources finds none of them. */
export function withUnsharedKeys(writes: readonly Write[]): readonly Write[] {
  if (writes.every((write) => furtherKeys(write).length === 0)) return writes
  const holders = new Map<string, number>()
  for (const write of writes)
    for (const key of keysOf(write)) {
      const name = nameOf(write, key)
      holders.set(name, (holders.get(name) ?? 0) + 1)
    }
  return writes.map((write) => {
    const isShared = (key: Key) => holders.get(nameOf(write, key)) !== 1
    if (!furtherKeys(write).some(isShared)) return write
    const { otherKeys, exactKeys, ...rest } = write
    return {
      ...rest,
      ...(otherKeys === undefined ? {} : { otherKeys: otherKeys.filter((key) => !isShared(key)) }),
      ...(exactKeys === undefined ? {} : { exactKeys: exactKeys.filter((key) => !isShared(key)) }),
    }
  })
}

const furtherKeys = (write: Write): readonly Key[] => keysOf(write).slice(1)

const nameOf = ({ resource }: Write, key: Key): string => `${resource.resourceType} ${keyText(key)}`
