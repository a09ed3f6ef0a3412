import { appendFile, readFile } from 'node:fs/promises'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { systemClock } from '../../packages/clock/clock.ts'
import { Fault, incorrect, unavailable } from '../../packages/faults/fault.ts'
import { compareRuns, differencesOf, readRun } from './compare.ts'
import { comparisonTable } from './comparison-table.ts'
import { findBenchmarks } from './find-benchmarks.ts'
import { measuredCommit, thisMachine } from './machine.ts'
import { resultsOf } from './result.ts'
import { runBenchmark } from './run-benchmark.ts'

interface Options {
  readonly rounds?: number
  readonly seconds?: number
  readonly out?: string
  readonly list?: boolean
  readonly compare?: boolean
}

const folder = new URL('../', import.meta.url)

/** The command line of `npm run bench`: results on stdout, one JSON object a line; progress on stderr. */
export async function main(args: readonly string[]): Promise<number> {
  const command = new Command('npm run bench --')
    .description('Runs the benchmarks named (all of them when none is) and prints one JSON object a line.')
    .argument('[name...]', 'benchmarks to run; with --compare, the two files to compare')
    .exitOverride()
    .option('--rounds <count>', 'rounds of every variant', wholeNumber)
    .option('--seconds <seconds>', 'length of a round', positive)
    .option('--out <file>', 'also append the lines to this file')
    .option('--list', 'say which benchmarks there are, and stop')
    .option('--compare', 'compare two files that --out wrote')
    .action(async (names: string[], options: Options) => {
      if (options.list === true) await list()
      else if (options.compare === true) await compare(names)
      else await run(names, options)
    })
  try {
    await command.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    // It has said what is wrong, or what was asked, itself.
    if (error instanceof CommanderError) return error.exitCode
    if (!(error instanceof Fault)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

async function list(): Promise<void> {
  for (const { name, title, unit, variants } of await findBenchmarks(folder)) {
    process.stdout.write(`${name}  ${title} (${variants.join(', ')}; ${unit})\n`)
  }
}

async function run(names: readonly string[], options: Options): Promise<void> {
  const progress = (text: string) => void process.stderr.write(`${text}\n`)
  const circumstances = { machine: thisMachine(), commit: await measuredCommit() }
  using stop = stopOnSignal(progress)
  for (const benchmark of await findBenchmarks(folder, names)) {
    const time = systemClock.now().toISOString()
    const runs = await runBenchmark(benchmark, options, { clock: systemClock, progress, signal: stop.signal })
    const lines = resultsOf(benchmark, runs, { ...circumstances, time }).map((result) => `${JSON.stringify(result)}\n`)
    process.stdout.write(lines.join(''))
    if (options.out !== undefined) await appendFile(options.out, lines.join(''))
  }
}

/** A database and a server of the benchmark would outlive a process that just ended. */
function stopOnSignal(progress: (text: string) => void): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController()
  const onSignal = () => {
    progress('Stopping after this round …')
    controller.abort(unavailable('The benchmark was stopped.'))
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.once(name, onSignal)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => signals.forEach((name) => process.off(name, onSignal)),
  }
}

async function compare(files: readonly string[]): Promise<void> {
  const [before, after] = files
  if (before === undefined || after === undefined || files.length > 2) {
    throw incorrect('Give the two files to compare: npm run bench -- --compare before.jsonl after.jsonl')
  }
  const [earlier, later] = await Promise.all(
    [before, after].map(async (file) => readRun(await readFile(file, 'utf8'), file)),
  )
  process.stdout.write(`${comparisonTable(compareRuns(earlier ?? [], later ?? []))}\n`)
  for (const sentence of differencesOf(earlier ?? [], later ?? [])) process.stdout.write(`${sentence}\n`)
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Give a whole number above 0.')
  return Number(text)
}

function positive(text: string): number {
  const number = Number(text)
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError('Give a number above 0.')
  return number
}
