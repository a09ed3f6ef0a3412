import type { Clock } from './clock.ts'

/** Loads when somebody asks, once for all who ask within the time. A failure is not remembered. */
export function remembered<T>(
  forMs: number,
  load: () => Promise<T>,
  clock: Pick<Clock, 'monotonicMs'>,
): () => Promise<T> {
  let loading: Promise<T> | undefined
  let untilMs = Number.NEGATIVE_INFINITY
  return () => {
    if (loading !== undefined && clock.monotonicMs() < untilMs) return loading
    const own = load()
    loading = own
    untilMs = clock.monotonicMs() + forMs
    own.catch(() => {
      if (loading === own) untilMs = Number.NEGATIVE_INFINITY
    })
    return own
  }
}
