import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../clock/clock.ts'

/** A lock that the operating system gives back when the process ends, however it ends. */
interface OsLock {
  release(): void
}

/**
 * Takes the lock, or returns undefined when another process (or another part of this one) has it.
 *
 * Node has no call for file locks, but SQLite, which comes with Node, locks its file with the system's own: nothing is
 * stored in it. No other code may open the file, because closing any handle of it would give the lock back.
 */
export function tryLock(file: string): OsLock | undefined {
  const handle = new DatabaseSync(file, { timeout: 0 })
  try {
    // With the journal in memory a lock needs no room on the disk. Node opens SQLite in defensive mode, which ignores `off`.
    handle.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    handle.close()
    if (isBusy(error)) return undefined
    throw error
  }
  // A timer that does nothing keeps the handle: if its taker dropped the lock, the garbage collector would give it back.
  const keeper = setInterval(() => handle.isOpen, dayMs).unref()
  return {
    release() {
      clearInterval(keeper)
      handle.close()
    },
  }
}

/** Waits until the lock is free; undefined when it does not become so in time. */
export async function lockWithin(
  file: string,
  waitMs: number,
  { clock, stop }: { readonly clock: Clock; readonly stop?: AbortSignal | undefined },
): Promise<OsLock | undefined> {
  const began = clock.monotonicMs()
  for (;;) {
    const lock = tryLock(file)
    if (lock !== undefined || clock.monotonicMs() - began > waitMs) return lock
    await clock.sleep(20, stop)
  }
}

const dayMs = 86_400_000
const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}
