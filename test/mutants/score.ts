import type { Fate } from './mutated-run.ts'

export interface Outcome {
  readonly fate: Fate
  readonly isKnown: boolean
}

/** How the mutants of a subject fared. */
export interface Score {
  readonly name: string
  readonly mutants: number
  readonly killed: number
  readonly timedOut: number
  readonly equivalent: number
  readonly survived: number
  /** Known as equivalent, and killed all the same: somebody was wrong. */
  readonly mistaken: number
  readonly minutes: number
}

export function scoreOf(name: string, outcomes: readonly Outcome[], minutes: number): Score {
  const count = (fate: Fate, isKnown: boolean) =>
    outcomes.filter((outcome) => outcome.fate === fate && outcome.isKnown === isKnown).length
  return {
    name,
    mutants: outcomes.length,
    killed: count('killed', false),
    timedOut: count('timed out', false),
    equivalent: count('survived', true),
    survived: count('survived', false),
    mistaken: count('killed', true) + count('timed out', true),
    minutes,
  }
}

/** Of the mutants that do something else, how many were noticed; in percent. */
export function percentOf({ killed, timedOut, survived }: Score): number {
  const all = killed + timedOut + survived
  return all === 0 ? 0 : (100 * (killed + timedOut)) / all
}

export function scoreTable(scores: readonly Score[]): string {
  const rows = scores.map((score) => [
    score.name,
    ...[score.mutants, score.killed, score.timedOut, score.equivalent, score.survived].map(String),
    `${percentOf(score).toFixed(1)} %`,
    score.minutes.toFixed(1),
  ])
  const table = [['subject', 'mutants', 'killed', 'timed out', 'equivalent', 'survived', 'score', 'minutes'], ...rows]
  const widthOf = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0))
  const padded = (text: string, column: number) =>
    column === 0 ? text.padEnd(widthOf(column)) : text.padStart(widthOf(column))
  return table.map((row) => row.map(padded).join('  ')).join('\n')
}
