import type { Result } from '../result.ts'
import { drawnBar, figureText } from './bars.ts'
import { known1, known32 } from './goals.ts'
import { resultOf } from './measured.ts'
import { table } from './table.ts'

/** Where the time of a message goes, on one connection and on many. DISPATCH is none of it: it follows the answer. */
export function stageShares(results: readonly Result[]): string {
  const [alone, together] = [known1, known32].map((variant) => resultOf(results, 'bridge', variant)?.notes)
  if (alone?.['whole ms'] === undefined || together?.['whole ms'] === undefined) return ''
  const [times, timesTogether] = [timesOf(alone), timesOf(together)]
  const rows = [...times].map(([stage, { ms, share }]) => {
    const other = timesTogether.get(stage) ?? { ms: 0, share: 0 }
    return [
      stage,
      `${figureText(ms)} ms`,
      percent(share),
      `${figureText(other.ms)} ms`,
      percent(other.share),
      drawnBar(other.share, 1),
    ]
  })
  const text = `An admission takes ${figureText(alone['whole ms'])} ms on one connection and ${figureText(together['whole ms'])} ms among those of 32, from its first byte to its durable end, by the bridge's own metrics; means.`
  const heads = ['stage', '1 connection', '', '32 connections', '', '']
  return `## Where the time of a message goes\n\n${text}\n\n${table(heads, rows)}`
}

interface StageTime {
  readonly ms: number
  readonly share: number
}

function timesOf(notes: Readonly<Record<string, number>>): ReadonlyMap<string, StageTime> {
  const whole = notes['whole ms'] ?? 0
  const measured = stages.map((stage) => [stage, notes[`${stage} ms`] ?? 0] as const)
  const rest = Math.max(0, whole - measured.reduce((sum, [, ms]) => sum + ms, 0))
  return new Map([...measured, ['in between', rest] as const].map(([stage, ms]) => [stage, { ms, share: ms / whole }]))
}

/** In the order of the pipeline. */
const stages = ['RECEIVE', 'ENRICH', 'TRANSFORM', 'GOVERN', 'PERSIST', 'ACK']

/** Whether a note tells of a stage: those have a part of the report to themselves. */
export const isOfStage = (note: string): boolean => /^([A-Z]+|whole) ms$/.test(note)

const percent = (share: number): string => `${Math.round(share * 100)} %`
