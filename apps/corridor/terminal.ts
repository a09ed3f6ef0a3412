/** Where the command line writes: the table and answers to one stream, progress and complaints to the other. */
export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether a person watches, so that a line may be rewritten. */
  readonly isInteractive: boolean
  readonly hasColour: boolean
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stderr.isTTY,
  hasColour: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
}

export interface Progress {
  /**
   * Says what is being done; the next step, or the end, says how long it took if that was long.
   * @param howFar asked every second, where a person watches
   */
  step(what: string, howFar?: () => string): void
  done(): void
  /** The step will not be done: it failed, or was stopped. */
  abandon(): void
}

/** Shows a step as soon as it has taken a second: quick starts stay quiet, slow ones never look stuck. */
export function makeProgress(terminal: Terminal): Progress {
  let current: { what: string; start: number; timer: NodeJS.Timeout; shown: boolean } | undefined
  const seconds = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
  const end = (last: (what: string, start: number) => string) => {
    if (current === undefined) return
    clearInterval(current.timer)
    if (current.shown) terminal.err(last(current.what, current.start))
    current = undefined
  }
  // What is written over may have been longer.
  const rewritten = terminal.isInteractive ? '\r\u001b[K' : ''
  const done = () => end((what, start) => `${rewritten}${what} … done in ${seconds(start)}\n`)
  return {
    step(what, howFar) {
      done()
      const start = performance.now()
      const timer = setInterval(() => {
        if (current === undefined) return
        if (terminal.isInteractive)
          terminal.err(`${rewritten}${what} … ${[seconds(start), howFar?.()].filter(Boolean).join(', ')} `)
        else if (!current.shown) terminal.err(`${what} …\n`)
        current.shown = true
      }, 1_000)
      timer.unref()
      current = { what, start, timer, shown: false }
    },
    done,
    // A line that is rewritten has no end yet.
    abandon: () => end(() => (terminal.isInteractive ? '\n' : '')),
  }
}

export const quietProgress: Progress = { step: () => {}, done: () => {}, abandon: () => {} }
