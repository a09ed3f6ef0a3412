import { systemClock } from '../../../../packages/clock/clock.ts'
import { makeOutbound, type Outbound } from '../../../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../../../packages/log/log.ts'
import { Metrics } from '../../../../packages/metrics/metrics.ts'

/** A client that may call one server. */
export const outboundTo = (url: string): Outbound =>
  makeOutbound({
    ...{ origins: [url], deadlineMs: 10_000, responseBytesMax: 10_000_000 },
    ...{ clock: systemClock, log: silentLog, metrics: new Metrics() },
  })
