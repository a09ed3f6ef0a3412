import { incorrect } from '../../packages/faults/fault.ts'
import type { Configuration, LoadedConfiguration } from './configuration.ts'

/** Values of which each is valid by itself, and the two are not together. Where the stricter one simply holds, nothing is said. */
export function refuseContradictions({ configuration, sourceOf }: LoadedConfiguration): void {
  const lines = pairsOf(configuration)
    .filter(({ isWrong }) => isWrong)
    .map(({ more, less, because }) => {
      const place = sourceOf(sourceOf(more.path) === 'default' ? less.path : more.path)
      return `  ${place}: ${more.path} (${more.value}) must be at least ${less.path} (${less.value})${because}.`
    })
  if (lines.length === 0) return
  throw incorrect(['The configuration is not valid.', ...lines].join('\n'), { code: 'CONFIGURATION_INVALID' })
}

interface Setting {
  readonly path: string
  readonly value: string
}

/** The one must be at least the other. */
interface Pair {
  readonly more: Setting
  readonly less: Setting
  readonly isWrong: boolean
  readonly because: string
}

function pairsOf({ http, bridge }: Configuration): Pair[] {
  const { rawDays, metaDays } = bridge.retention
  const { windowHours } = bridge.dedupe
  const raw = { path: 'bridge.retention.rawDays', value: `${rawDays}` }
  const log = { path: 'bridge.retention.metaDays', value: `${metaDays}` }
  const window = { path: 'bridge.dedupe.windowHours', value: `${windowHours} hours` }
  return [
    {
      more: { path: 'http.requestTimeoutMs', value: `${http.requestTimeoutMs}` },
      less: { path: 'http.headersTimeoutMs', value: `${http.headersTimeoutMs}` },
      // Node makes no server whose heads have more time than the requests that they are a part of.
      isWrong: http.requestTimeoutMs < http.headersTimeoutMs,
      because: '',
    },
    {
      ...{ more: raw, less: window, isWrong: rawDays * 24 < windowHours },
      because: ': a query that comes again is answered with the kept answer',
    },
    {
      ...{ more: log, less: window, isWrong: metaDays * 24 < windowHours },
      because: ': a message that comes again is answered as the log says of the first',
    },
    {
      ...{ more: log, less: raw, isWrong: metaDays < rawDays },
      because: ': without its line in the log nobody finds the bytes of a message',
    },
  ]
}
