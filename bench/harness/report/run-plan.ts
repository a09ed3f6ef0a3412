import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Benchmark } from '../benchmark.ts'
import { readRun } from '../compare.ts'
import type { Measured, Outcome } from './measured.ts'
import type { Plan } from './plan.ts'

interface RunPlanDeps {
  readonly clock: Clock
  readonly progress: (text: string) => void
  /** Ends the benchmark under way, and the report with it. */
  readonly stop: AbortSignal
}

/** Runs one benchmark in a process of its own, so that none of them meets what another has left in memory. */
export async function runPlan(
  { name, title }: Pick<Benchmark, 'name' | 'title'>,
  plan: Plan | undefined,
  deps: RunPlanDeps,
): Promise<Measured> {
  const outcome = plan === undefined ? ({ is: 'left out' } as const) : await measure(name, plan, deps)
  return { benchmark: name, title, outcome }
}

async function measure(name: string, plan: Plan, { clock, progress, stop }: RunPlanDeps): Promise<Outcome> {
  stop.throwIfAborted()
  const startedMs = clock.monotonicMs()
  using limit = clock.deadline(plan.limitSeconds * 1_000)
  const child = spawn(process.execPath, [program, name, ...optionsOf(plan)], {
    env: { ...process.env, ...plan.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // It ends its round and lets go of its database and servers; one that does not is ended hard.
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), graceMs).unref()
  }
  const over = AbortSignal.any([limit.signal, stop])
  over.addEventListener('abort', end, { once: true })
  const [lines, said] = [[] as string[], [] as string[]]
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line)
    progress(line)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  over.removeEventListener('abort', end)
  stop.throwIfAborted()
  if (limit.signal.aborted) return { is: 'failed', reason: `It took longer than ${plan.limitSeconds} s.` }
  if (code !== 0) return { is: 'failed', reason: reasonIn(said) }
  const tookSeconds = Math.round((clock.monotonicMs() - startedMs) / 1_000)
  return { is: 'measured', results: readRun(lines.join('\n'), name), tookSeconds }
}

const program = fileURLToPath(new URL(`../main${import.meta.url.slice(-3)}`, import.meta.url))
const graceMs = 60_000

const optionsOf = ({ rounds, seconds }: Plan): string[] => [
  ...(rounds === undefined ? [] : ['--rounds', String(rounds)]),
  ...(seconds === undefined ? [] : ['--seconds', String(seconds)]),
]

/** The sentence of the error, without its stack. */
function reasonIn(said: readonly string[]): string {
  const error = said.findLast((line) => /(^|\b)\w*(Error|Fault)\b.*: /.test(line)) ?? said.at(-1)
  return error?.trim() ?? 'It ended without a word.'
}
