/** What a fault suite counted, for the table at the end of `npm run test:faults`. */
export interface FaultFigures {
  /** Processes ended by kill -9, or sessions, servers and connections broken in their place. */
  readonly kills?: number
  /** Histories that were checked as a whole: simulated worlds, or messages, writes and logins seen through. */
  readonly histories?: number
  readonly lost?: number
  readonly twice?: number
  readonly brokenLogins?: number
  /** Anything else worth reading, in a few words. */
  readonly seen?: string
}

declare module 'vitest' {
  interface TaskMeta {
    faultFigures?: FaultFigures
  }
}

/** Call it inside a test with what it has seen: `tellFigures(task, { kills, lost: 0 })`. Figures of a file add up. */
export function tellFigures(task: { readonly meta: { faultFigures?: FaultFigures } }, figures: FaultFigures): void {
  task.meta.faultFigures = figures
}
