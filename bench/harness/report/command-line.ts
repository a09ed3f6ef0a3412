import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { systemClock } from '../../../packages/clock/clock.ts'
import { Fault, unavailable } from '../../../packages/faults/fault.ts'
import { findBenchmarks } from '../find-benchmarks.ts'
import { measuredCommit, thisMachine } from '../machine.ts'
import type { Measured } from './measured.ts'
import type { Extent } from './plan.ts'
import { planOf } from './plan.ts'
import { runPlan } from './run-plan.ts'
import { writeReport, type Report } from './write-report.ts'

interface Options {
  readonly quick?: boolean
  readonly full?: boolean
  readonly out?: string
  readonly from?: string
}

const folder = new URL('../../', import.meta.url)
const kept = resolve('data/bench-report.json')

/** The command line of `npm run bench:report`. A benchmark that fails is in the report, and the exit code is 1. */
export async function main(args: readonly string[]): Promise<number> {
  let code = 0
  const command = new Command('npm run bench:report --')
    .description('Runs the benchmarks one after another and writes docs/performance.md.')
    .argument('[name...]', 'only these; the report then goes to standard output')
    .exitOverride()
    .option('--quick', 'a look in two minutes, without those that need large data; to standard output')
    .option('--full', 'each with its own rounds and a million resources: some hours')
    .option('--out <file>', 'write the report there')
    .option('--from <file>', `write it again from what a run has kept (in ${kept})`)
    .action(async (names: string[], options: Options) => {
      const report = options.from === undefined ? await run(names, options) : await read(options.from)
      await write(report, options.out ?? (isWhole(names, options) ? 'docs/performance.md' : undefined))
      code = report.measured.some(({ outcome }) => outcome.is === 'failed') ? 1 : 0
    })
  try {
    await command.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    // It has said what is wrong, or what was asked, itself.
    if (error instanceof CommanderError) return error.exitCode
    if (!(error instanceof Fault)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

const isWhole = (names: readonly string[], { quick }: Options): boolean => names.length === 0 && quick !== true

async function run(names: readonly string[], { quick, full }: Options): Promise<Report> {
  const extent: Extent = quick === true ? 'quick' : full === true ? 'full' : 'usual'
  const benchmarks = await findBenchmarks(folder, names)
  using stop = stopOnSignal()
  const started = systemClock.monotonicMs()
  const measured: Measured[] = []
  for (const [index, benchmark] of benchmarks.entries()) {
    const minutes = ((systemClock.monotonicMs() - started) / 60_000).toFixed(1)
    process.stderr.write(`[${index + 1} of ${benchmarks.length}, ${minutes} min] ${benchmark.name}\n`)
    // Whoever names one wants it, however large its world.
    const plan = planOf(benchmark.name, extent) ?? (names.length > 0 ? planOf(benchmark.name, 'usual') : undefined)
    const deps = { clock: systemClock, progress: showProgress, stop: stop.signal }
    const one = await runPlan(benchmark, plan, deps)
    clearProgress()
    if (one.outcome.is === 'failed') process.stderr.write(`  failed: ${one.outcome.reason}\n`)
    measured.push(one)
  }
  const commit = await measuredCommit()
  const report = { extent, machine: thisMachine(), commit, date: today(), measured }
  await mkdir(dirname(kept), { recursive: true })
  await writeFile(kept, `${JSON.stringify(report)}\n`)
  return report
}

async function read(file: string): Promise<Report> {
  // Sound: a run of this program wrote it.
  return JSON.parse(await readFile(file, 'utf8')) as Report
}

async function write(report: Report, file: string | undefined): Promise<void> {
  const text = writeReport(report)
  if (file === undefined) {
    process.stdout.write(text)
    return
  }
  await writeFile(file, text)
  process.stderr.write(`Wrote ${file}.\n`)
}

const today = () => systemClock.now().toISOString().slice(0, 10)

/** On a terminal one line that changes; in a log nothing but the names. */
function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K  ${line.trim().slice(0, 76)}`)
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K')
}

function stopOnSignal(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController()
  const onSignal = () => controller.abort(unavailable('The report was stopped; nothing was written.'))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.once(name, onSignal)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => signals.forEach((name) => process.off(name, onSignal)),
  }
}
