import { LRUCache } from 'lru-cache'
import type { Clock } from '../../packages/clock/clock.ts'
import type { Coding } from '../../packages/fhir/r4.ts'
import type { CodeNeed, CodeOf, TermAnswer, Terminology } from './terminology.ts'

/** How long an answer is believed. */
const keptMs = 3_600_000
/** How long "there is none" is believed; short, so that a map that was loaded takes effect. */
const noneKeptMs = 30_000
const entriesMax = 50_000

interface Entry<Answer> {
  readonly answer: Answer
  readonly untilMs: number
}

export interface CachedTerminology extends Terminology {
  /** Somebody has said what a code means: nothing of what was asked before counts any more. */
  forget(): void
}

/** Asks only for what was not asked lately. What fails is not remembered. */
export function cachedTerminology(terminology: Terminology, { clock }: { readonly clock: Clock }): CachedTerminology {
  const answers = new LRUCache<string, Entry<TermAnswer>>({ max: entriesMax })
  const lookups = new LRUCache<string, Entry<Coding | undefined>>({ max: entriesMax })
  const untilMs = (isNone: boolean) => clock.monotonicMs() + (isNone ? noneKeptMs : keptMs)
  const fresh = <Answer>(entry: Entry<Answer> | undefined) =>
    entry !== undefined && entry.untilMs > clock.monotonicMs() ? entry : undefined
  let era = 0
  return {
    ...(terminology.state && { state: terminology.state }),
    forget() {
      // What was asked for before and is answered later is as old as what is remembered.
      era++
      answers.clear()
      lookups.clear()
    },
    async codingsIn(needs, call) {
      const known = needs.map((need) => fresh(answers.get(keyOf(need)))?.answer)
      const asked = new Map(needs.filter((_, at) => known[at] === undefined).map((need) => [keyOf(need), need]))
      const askedIn = era
      const found = asked.size === 0 ? [] : await terminology.codingsIn([...asked.values()], call)
      const told = new Map([...asked.keys()].map((key, at) => [key, found[at] ?? 'unmapped']))
      if (askedIn === era) {
        for (const [key, answer] of told) answers.set(key, { answer, untilMs: untilMs(answer === 'unmapped') })
      }
      return needs.map((need, at) => known[at] ?? told.get(keyOf(need)) ?? 'unmapped')
    },
    remembered: (needs) => needs.map((need) => answers.get(keyOf(need))?.answer),
    async lookup(coding, call) {
      const key = `${coding.system}|${coding.code}`
      const known = fresh(lookups.get(key))
      if (known !== undefined) return known.answer
      const askedIn = era
      const answer = await terminology.lookup(coding, call)
      if (askedIn === era) lookups.set(key, { answer, untilMs: untilMs(answer === undefined) })
      return answer
    },
  }
}

const keyOf = ({ target, system, code, display }: CodeNeed & CodeOf) => JSON.stringify([target, system, code, display])
