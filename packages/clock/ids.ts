import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { bug } from '../faults/fault.ts'
import type { Clock } from './clock.ts'

export interface Ids {
  /** A random UUID (version 4). */
  uuid(): string
  /** A UUID that sorts by the time it was made (version 7), for keys of growing tables. */
  timeUuid(): string
  /** Unguessable text, base64url; 32 bytes unless said otherwise. */
  secret(bytes?: number): string
}

export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  /** A number from 0 up to, not including, 1. */
  fraction(): number
}

export const systemRandom: Random = {
  below: (below) => randomInt(below),
  fraction: () => randomInt(2 ** 47) / 2 ** 47,
}

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  timeUuid: () => uuidV7From(Date.now(), randomUUID()),
  secret: (bytes = 32) => randomBytes(bytes).toString('base64url'),
}

/** The same numbers for the same seed, on every machine (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction: next,
    below(below) {
      if (!Number.isInteger(below) || below < 1) throw bug(`below must be a whole number of at least 1, not ${below}`)
      return Math.floor(next() * below)
    },
  }
}

/** Ids that a test can predict: they follow from the seed and, for time ids, the simulated clock. */
export function seededIds(random: Random, clock: Clock): Ids {
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => random.below(256)))
  return {
    uuid: () => formatUuid(stamp(bytes(16), 4)),
    timeUuid: () => uuidV7(clock.now().getTime(), bytes(10)),
    secret: (count = 32) => bytes(count).toString('base64url'),
  }
}

/** RFC 9562 section 5.7: 48 bits of milliseconds, then chance. */
function uuidV7(ms: number, chance: Buffer): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(ms, 0, 6)
  chance.copy(bytes, 6)
  return formatUuid(stamp(bytes, 7))
}

/** The same from the chance of a random UUID, of which Node keeps a store: bytes of one's own cost ten times as much. */
function uuidV7From(ms: number, random: string): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

function stamp(bytes: Buffer, version: number): Buffer {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
