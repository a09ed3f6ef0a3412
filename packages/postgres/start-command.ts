import { join } from 'node:path'
import type { Binaries } from './binaries.ts'

interface StartCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Whether the command is the server, or only starts it and ends with 0 once it runs. */
  readonly isServer: boolean
}

/** On Windows pg_ctl starts the server, because it gives up administrator's rights, with which PostgreSQL refuses to run. */
export function startCommand(platform: string, binaries: Binaries, clusterPath: string): StartCommand {
  return platform === 'win32'
    ? { file: join(binaries.folder, 'pg_ctl'), args: ['start', '--wait', '-D', clusterPath], isServer: false }
    : { file: join(binaries.folder, 'postgres'), args: ['-D', clusterPath], isServer: true }
}
