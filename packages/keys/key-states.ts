import type { StoredKey } from './signing-key.ts'

/** `next` is published but not used yet, `current` signs, `retired` is published for the tokens it has signed. */
export type KeyState = 'next' | 'current' | 'retired'

export interface KeyInState {
  readonly key: StoredKey
  readonly state: KeyState
  /** When a retired key stops being published. */
  readonly retiresAt: Date | undefined
}

/**
 * The state of every key at a moment, oldest first; a key whose time is over is left out. States follow from the clock
 * alone, so all copies change over at the same moment without a word between them.
 */
export function keyStates(keys: readonly StoredKey[], retainSeconds: number, now: Date): readonly KeyInState[] {
  const ordered = [...keys].sort((a, b) => a.number - b.number)
  const current = ordered.findLast((key) => key.currentFrom <= now) ?? ordered[0]
  return ordered.map((key) => stateOf(key)).filter(({ retiresAt }) => retiresAt === undefined || retiresAt > now)

  function stateOf(key: StoredKey): KeyInState {
    if (key === current || current === undefined) return { key, state: 'current', retiresAt: undefined }
    if (key.number > current.number) return { key, state: 'next', retiresAt: undefined }
    const takeOvers = ordered.filter((other) => other.number > key.number).map((other) => other.currentFrom.getTime())
    return { key, state: 'retired', retiresAt: new Date(Math.min(...takeOvers) + retainSeconds * 1000) }
  }
}
