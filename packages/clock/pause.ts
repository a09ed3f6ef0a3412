import type { Clock } from './clock.ts'

/** Waits for the given time, or until the signal comes: whoever pauses looks at the signal afterwards. */
export async function pause(clock: Pick<Clock, 'sleep'>, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal)
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}
