import { spawn, type StdioOptions } from 'node:child_process'
import type { RunAs } from './run-as.ts'

interface ProgramResult {
  readonly exitCode: number | undefined
  readonly output: string
  /** The system's word when the program could not be started at all, e.g. EACCES. */
  readonly startError: string | undefined
}

interface ProgramOptions {
  readonly runAs: RunAs
  readonly timeoutMs: number
  readonly stop?: AbortSignal | undefined
  readonly cwd?: string
  /** Open files that the program inherits as its descriptors 3, 4, … */
  readonly inherit?: readonly number[]
}

/** Runs a program of PostgreSQL to its end; it is killed when the time is over, or at a stop. */
export function runProgram(file: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(options.inherit ?? [])]
    const child = spawn(file, args, {
      ...options.runAs,
      env: programEnvironment(),
      stdio,
      timeout: options.timeoutMs,
      signal: options.stop,
      killSignal: 'SIGKILL',
      windowsHide: true,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-outputCharactersMax)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ exitCode: undefined, output: error.message, startError: error.code ?? error.message }),
    )
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? undefined, output, startError: undefined }))
  })
}

const outputCharactersMax = 20_000

/** Nothing of Corridor's environment reaches PostgreSQL: PGPORT and its like would change it, secrets do not belong. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), ...(TEMP && { TEMP }) }
}
