import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { systemClock, type Clock } from '../clock/clock.ts'
import { assert, unavailable } from '../faults/fault.ts'

export interface ChildOptions {
  /** A program of the project: a built `.js` or a `.ts` file, which Node runs by stripping its types. */
  readonly script: URL
  readonly args?: readonly string[]
  /** On top of the environment of this process. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly clock?: Clock
}

interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Starts a program in its own process group on the Node that runs this one. Dispose it: nothing is left behind. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { script, args = [], env = {}, cwd, clock = systemClock } = options
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  await once(child, 'spawn')
  return new Child(child, clock)
}

export class Child implements AsyncDisposable {
  readonly pid: number
  /** Standard output, line by line; a last line without an end is not in it, since a kill may have cut it. */
  readonly lines: string[] = []
  readonly errorLines: string[] = []
  /** Resolves when the program has ended and all it wrote is in the lines. */
  readonly ended: Promise<ChildEnd>
  readonly #child: ChildProcess
  readonly #clock: Clock
  readonly #onOutput = new Set<() => void>()

  constructor(child: ChildProcess, clock: Clock) {
    const { pid, stdin, stdout, stderr } = child
    assert(pid !== undefined && stdout !== null && stderr !== null, 'the child process was not started with pipes')
    // One that has ended hears nothing any more, and its end is told as such.
    stdin?.on('error', () => {})
    this.pid = pid
    this.#child = child
    this.#clock = clock
    const killAtExit = () => this.#signal('SIGKILL')
    // Every child has its own place among the listeners: two dozen at once are no leak.
    process.setMaxListeners(process.getMaxListeners() + 1)
    process.once('exit', killAtExit)
    const outputRead = Promise.all([this.#collect(stdout, this.lines), this.#collect(stderr, this.errorLines)])
    this.ended = this.#end(outputRead).finally(() => {
      process.off('exit', killAtExit)
      process.setMaxListeners(process.getMaxListeners() - 1)
    })
  }

  /** The first line that matches, among those already written or still to come. */
  async waitForLine(wanted: RegExp, options: { deadlineMs?: number } = {}): Promise<string> {
    const { deadlineMs = 90_000 } = options
    using deadline = this.#clock.deadline(deadlineMs)
    let ended = false
    const end = this.ended.then(() => void (ended = true))
    for (let from = 0; ;) {
      const found = this.lines.slice(from).find((line) => wanted.test(line))
      if (found !== undefined) return found
      from = this.lines.length
      if (ended) throw unavailable(`The program ended without a line that matches ${wanted}.${this.#output()}`)
      if (deadline.signal.aborted) {
        throw unavailable(`The program wrote no line that matches ${wanted} in ${deadlineMs} ms.${this.#output()}`)
      }
      await Promise.race([this.#nextOutput(deadline.signal), end])
    }
  }

  /** Writes a line to its standard input. */
  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  /** Sends the signal to the whole process group and waits until the program has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<ChildEnd> {
    this.#signal(signal)
    return this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      // A negative number names the process group; Windows has none.
      if (process.platform === 'win32') this.#child.kill(signal)
      else process.kill(-this.pid, signal)
    } catch (error) {
      // The group is empty: all of it has ended already.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }

  async #collect(stream: Readable, lines: string[]): Promise<void> {
    let rest = ''
    stream.setEncoding('utf8')
    for await (const chunk of stream) {
      const parts = (rest + String(chunk)).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.map((part) => part.replace(/\r$/, '')))
      for (const wake of this.#onOutput) wake()
    }
  }

  async #end(outputRead: Promise<unknown>): Promise<ChildEnd> {
    const exit = once(this.#child, 'exit')
    const [code, signal] = (await exit) as [ChildEnd['code'], ChildEnd['signal']]
    // A program that the child started outside its group may hold the pipes open; what is written by then is enough.
    using deadline = this.#clock.deadline(pipeGraceMs)
    await Promise.race([outputRead, aborted(deadline.signal)])
    return { code, signal }
  }

  #nextOutput(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#onOutput.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#onOutput.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  #output(): string {
    const last = [...this.lines.slice(-10), ...this.errorLines.slice(-20)]
    return last.length === 0 ? ' It wrote nothing.' : ` Its last lines:\n${last.join('\n')}`
  }
}

const pipeGraceMs = 2_000

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
