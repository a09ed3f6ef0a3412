import { spawn } from 'node:child_process'
import { open, readFile, rename, stat } from 'node:fs/promises'
import type { Binaries } from './binaries.ts'
import { clusterPath } from './cluster-path.ts'
import type { Layout } from './layout.ts'
import { startCommand } from './start-command.ts'
import { programEnvironment } from './run-program.ts'
import type { RunAs } from './run-as.ts'

/** A server that was started and has not said yet whether it is ready. */
export interface StartedServer {
  /** Of the process that was made; undefined when none could be. */
  readonly pid: number | undefined
  /** Its last words, once it has ended; undefined while it runs. */
  ended(): Promise<string | undefined>
}

/**
 * Starts the server in a process group of its own, so that neither Ctrl-C in the terminal nor the death of Corridor
 * takes it along. Its output is a file, not a pipe: a pipe would break when Corridor dies.
 */
export async function startServer(layout: Layout, binaries: Binaries, runAs: RunAs): Promise<StartedServer> {
  await rotate(layout.log)
  await using log = await open(layout.log, 'a', 0o600)
  const { size } = await log.stat()
  const command = startCommand(process.platform, binaries, await clusterPath(layout.cluster, runAs))
  const child = spawn(command.file, command.args, {
    ...runAs,
    cwd: layout.cluster,
    env: programEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    windowsHide: true,
  })
  let end: string | undefined
  child.once('error', (error) => {
    end = error.message
  })
  child.once('exit', (code, signal) => {
    if (command.isServer || code !== 0) end = `ended with ${signal ?? code}`
  })
  child.unref()
  return {
    pid: child.pid,
    async ended() {
      if (end === undefined) return undefined
      const words = (await readFile(layout.log)).subarray(size).toString()
      return `${words}\n${end}`
    },
  }
}

const logBytesMax = 8_000_000

/** Keeps one older file, so that the log has a bound. */
async function rotate(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && found.size > logBytesMax) await rename(path, `${path}.1`)
}
