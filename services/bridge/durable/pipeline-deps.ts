import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { ToEnrich } from '../pipeline/2-enrich.ts'
import type { Received } from '../pipeline/received.ts'
import type { DurableStore } from './durable-store.ts'
import type { Journal } from './journal.ts'
import type { RunWorkDeps } from './run-work.ts'
import type { UnderWay } from './under-way.ts'

export interface PipelineDeps extends RunWorkDeps {
  readonly durable: DurableStore
  readonly clock: Clock
  readonly ids: Ids
  readonly journal: Journal
  readonly underWay: UnderWay
  /** ENRICH before its time, where it can be begun without writing anything. */
  readonly foresee?: ((asked: Omit<ToEnrich, 'signal'>) => Received['foreseen']) | undefined
}
