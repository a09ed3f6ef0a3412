import { systemClock } from '../../../packages/clock/clock.ts'
import { makeLog, type Log } from '../../../packages/log/log.ts'
import type { Configuration } from '../configuration.ts'
import type { Terminal } from '../terminal.ts'

/** The log of a command that a person runs: what a service tells about its life would only be in the way. */
export function commandLog({ log }: Configuration, terminal: Terminal): Log {
  const level = log.level === 'info' ? 'warn' : log.level
  return makeLog({ level, sink: { write: terminal.err }, clock: systemClock })
}
