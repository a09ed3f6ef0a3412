import type { Dependency } from '../../breakers/breakers.ts'
import type { BreakerState } from '../../breakers/circuit-breaker.ts'
import type { ChannelRow } from '../channels/channel-rows.ts'
import type { FlowNow } from './flow-figures.ts'

export interface FlowModel {
  readonly now: FlowNow
  readonly channels: readonly ChannelRow[]
  readonly breakers: ReadonlyMap<Dependency, BreakerState>
}
