import type { Clock } from '../../../packages/clock/clock.ts'
import type { ServiceName } from '../service-names.ts'

export interface CheckDeps {
  readonly clock: Clock
  /** The services that are to run on this machine. */
  readonly running: readonly ServiceName[]
}
