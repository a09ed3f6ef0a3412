import autocannon from 'autocannon'
import { bug } from '../../packages/faults/fault.ts'
import type { Round } from './benchmark.ts'

interface HttpLoad {
  readonly url: string
  readonly connections: number
  readonly headers?: Readonly<Record<string, string>>
  /** What to send in place of a GET of the address: each connection sends them in turn. */
  readonly requests?: readonly { readonly method: string; readonly path: string }[]
}

/** Asks for one address as fast as it is answered; answers with successes a second. One refusal spoils the round. */
export async function httpLoad(load: HttpLoad, round: Round): Promise<number> {
  const startedMs = round.clock.monotonicMs()
  const instance = autocannon({ ...load, duration: round.seconds })
  let succeeded = 0
  let refused = 0
  instance.on('response', (_client, status, _bytes, latencyMs) => {
    round.record(latencyMs)
    if (status >= 200 && status < 300) succeeded++
    else refused++
  })
  const { errors, timeouts } = await instance
  if (refused + errors + timeouts > 0 || succeeded === 0) {
    throw bug(`${load.url}: ${succeeded} answers, ${refused} refusals, ${errors} errors, ${timeouts} time-outs`)
  }
  return succeeded / ((round.clock.monotonicMs() - startedMs) / 1_000)
}
