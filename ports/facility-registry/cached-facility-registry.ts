import { LRUCache } from 'lru-cache'
import type { Clock } from '../../packages/clock/clock.ts'
import type { Facility, FacilityRegistry } from './facility-registry.ts'

export interface CacheOptions {
  readonly clock: Clock
  /** Five minutes, as the specification says. */
  readonly keptMs?: number
  /** How long "nobody has this code" is believed; short, so that a new facility can start to send. */
  readonly unknownKeptMs?: number
  readonly entriesMax?: number
}

interface Entry {
  readonly facility: Facility | undefined
  readonly untilMs: number
}

/** Asks the registry only for what was not asked lately. What fails is not remembered. */
export function cachedFacilityRegistry(registry: FacilityRegistry, options: CacheOptions): FacilityRegistry {
  const { clock, keptMs = 5 * 60_000, unknownKeptMs = 10_000, entriesMax = 10_000 } = options
  const entries = new LRUCache<string, Entry>({ max: entriesMax })
  const isFreshAt = (nowMs: number) => (code: string) => (entries.get(code)?.untilMs ?? 0) > nowMs
  return {
    remembered: (code) => (isFreshAt(clock.monotonicMs())(code) ? entries.get(code)?.facility : undefined),
    async find(codes, call) {
      const nowMs = clock.monotonicMs()
      const isFresh = isFreshAt(nowMs)
      const asked = [...new Set(codes)].filter((code) => !isFresh(code))
      const answer = asked.length === 0 ? new Map<string, Facility>() : await registry.find(asked, call)
      for (const code of asked) {
        const facility = answer.get(code)
        entries.set(code, { facility, untilMs: nowMs + (facility === undefined ? unknownKeptMs : keptMs) })
      }
      return new Map(
        codes.flatMap((code) => {
          const facility = answer.get(code) ?? entries.get(code)?.facility
          return facility === undefined ? [] : [[code, facility] as const]
        }),
      )
    },
  }
}
