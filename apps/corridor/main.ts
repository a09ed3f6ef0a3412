import { inspect } from 'node:util'
import { systemClock } from '../../packages/clock/clock.ts'
import { runCommandLine } from './command-line.ts'
import type { Signals } from './commands/start.ts'
import { lastWords } from './last-words.ts'
import { endWithReader } from './reader-gone.ts'
import { processTerminal } from './terminal.ts'

/** The command line in a process of its own. */
export async function main(argv: readonly string[]): Promise<void> {
  const signals = new ProcessSignals()
  endWithReader(
    [process.stdout, process.stderr],
    () => signals.areAwaited,
    (code) => process.exit(code),
  )
  process.on('uncaughtException', (thrown) => {
    if (signals.areAwaited) lastWords(thrown, processTerminal.err, systemClock)
    else processTerminal.err(`${inspect(thrown)}\n`)
    process.exit(1)
  })
  const code = await runCommandLine(argv.slice(2), {
    terminal: processTerminal,
    input: process.stdin,
    signals,
    environment: process.env,
  })
  // Not process.exit at once: what was written to a pipe must get out. A handle left open must not hold the end up.
  process.exitCode = code
  setTimeout(() => process.exit(code), lingerMs).unref()
}

const lingerMs = 500

/** One Ctrl-C comes more than once: to all of the terminal's processes, and again from npm and the launcher. */
const echoMs = 1_000

/** The first signal asks for an orderly end; one that is not its echo ends at once. */
class ProcessSignals implements Signals {
  /** Something runs here that a signal ends. */
  areAwaited = false

  first(): Promise<string> {
    this.areAwaited = true
    return new Promise<string>((resolve) => {
      let firstMs: number | undefined
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(signal, () => {
          if (firstMs !== undefined && performance.now() - firstMs > echoMs) process.exit(1)
          firstMs ??= performance.now()
          resolve(signal)
        })
      }
    })
  }
}
