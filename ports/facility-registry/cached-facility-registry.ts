import { LRUCache } from 'lru-cache'
import type { Clock } from '../../packages/clock/clock.ts'
import { faultOf } from '../../packages/faults/fault.ts'
import { isOutside } from '../../packages/sql/tasks/outside.ts'
import type { Facility, FacilityRegistry } from './facility-registry.ts'
import type { CallOptions } from '../call-options.ts'

export interface CacheOptions {
  readonly clock: Clock
  /** Five minutes, as the specification says. */
  readonly keptMs?: number
  /** How long what the registry said is believed when it cannot be asked again. */
  readonly keptWhileAwayMs?: number
}

/** How long "nobody has this code" is believed; short, so that a new facility can start to send. */
const unknownKeptMs = 10_000
const entriesMax = 10_000

interface Entry {
  readonly facility: Facility | undefined
  readonly askedMs: number
}

/** Asks the registry only for what was not asked lately. What fails is not remembered. */
export function cachedFacilityRegistry(registry: FacilityRegistry, options: CacheOptions): FacilityRegistry {
  const { clock, keptMs = 5 * 60_000, keptWhileAwayMs = 0 } = options
  const entries = new LRUCache<string, Entry>({ max: entriesMax })
  const isFreshAt = (nowMs: number) => (code: string) => {
    const entry = entries.get(code)
    return entry !== undefined && nowMs < entry.askedMs + (entry.facility === undefined ? unknownKeptMs : keptMs)
  }
  /** What it said before it was away; only of facilities that it knew. */
  const saidOf = (codes: readonly string[], nowMs: number): Map<string, Facility> =>
    new Map(
      codes.flatMap((code) => {
        const { facility, askedMs = 0 } = entries.get(code) ?? {}
        return facility === undefined || nowMs >= askedMs + keptWhileAwayMs ? [] : [[code, facility] as const]
      }),
    )
  const ask = async (codes: readonly string[], call: CallOptions, nowMs: number) => {
    try {
      const answer = await registry.find(codes, call)
      for (const code of codes) entries.set(code, { facility: answer.get(code), askedMs: nowMs })
      return answer
    } catch (thrown) {
      const said = saidOf(codes, nowMs)
      // Whoever has gone wants no answer; a registry that refuses has given one.
      const mustFail = call.signal?.aborted === true || !isOutside(faultOf(thrown)) || said.size < codes.length
      if (mustFail) throw thrown
      return said
    }
  }
  return {
    remembered: (code) => (isFreshAt(clock.monotonicMs())(code) ? entries.get(code)?.facility : undefined),
    async find(codes, call = {}) {
      const nowMs = clock.monotonicMs()
      const isFresh = isFreshAt(nowMs)
      const asked = [...new Set(codes)].filter((code) => !isFresh(code))
      const answer = asked.length === 0 ? new Map<string, Facility>() : await ask(asked, call, nowMs)
      return new Map(
        codes.flatMap((code) => {
          const facility = answer.get(code) ?? entries.get(code)?.facility
          return facility === undefined ? [] : [[code, facility] as const]
        }),
      )
    },
  }
}
