import type { Clock } from '../clock/clock.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { RequestState } from './request-state.ts'

export type Observer = (state: RequestState<never>, status: number) => void

/** Counts and logs every answer by its route's pattern, never by its address: addresses hold identifiers. */
export function requestObserver(options: { service: string; clock: Clock; log: Log; metrics: Metrics }): Observer {
  const { service, clock, log } = options
  const durations = options.metrics.histogram(
    'corridor_http_request_duration_seconds',
    'Time from the headers of a request to the end of its answer.',
    ['service', 'method', 'route', 'status'],
  )
  return (state, status) => {
    const { method, route, id: requestId, clientId } = state
    const durationMs = Math.max(0, clock.monotonicMs() - state.startedMs)
    durations.labels(service, method, route, String(status)).observe(durationMs / 1_000)
    const fields = {
      method,
      route,
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      requestId,
      ...(clientId === undefined ? {} : { clientId }),
    }
    // Probes come every few seconds and would bury the rest.
    if (route.startsWith('/actuator')) log.debug('request finished', fields)
    else log.info('request finished', fields)
  }
}
