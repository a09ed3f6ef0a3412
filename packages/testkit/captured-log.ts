import { systemClock, type Clock } from '../clock/clock.ts'
import { makeLog, type Log, type LogFields } from '../log/log.ts'
import { assertNoCanaries } from './find-canaries.ts'
import type { Canaries } from './log-canaries.ts'

/** One line as a program would read it. */
type LoggedEvent = LogFields & { readonly level: string; readonly time: string; readonly event: string }

/** A real log, down to the last level, whose lines are kept. */
export function capturedLog(clock: Clock = systemClock): CapturedLog {
  return new CapturedLog(clock)
}

export class CapturedLog {
  readonly log: Log
  readonly lines: string[] = []

  constructor(clock: Clock) {
    this.log = makeLog({ level: 'debug', sink: { write: (line) => void this.lines.push(line) }, clock })
  }

  /** All events, or those of one name. */
  events(name?: string): LoggedEvent[] {
    // Of a million lines only those that may be meant are read.
    const lines = name === undefined ? this.lines : this.lines.filter((line) => line.includes(JSON.stringify(name)))
    // Sound: makeLog writes exactly this, one object a line.
    const read = lines.map((line) => JSON.parse(line) as LoggedEvent)
    return name === undefined ? read : read.filter(({ event }) => event === name)
  }

  assertNoCanaries(canaries: Canaries): void {
    assertNoCanaries(this.lines, canaries)
  }
}
