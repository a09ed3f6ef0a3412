import type { Clock } from '../../../../packages/clock/clock.ts'
import type { Configuration } from '../../configuration.ts'
import type { Progress } from '../../terminal.ts'
import type { CorridorApi } from './corridor-api.ts'
import type { Narrator } from './narrator.ts'
import type { TourPatient } from './tour-patient.ts'

/** What every part of the tour is told with. */
export interface Guide {
  readonly narrator: Narrator
  readonly progress: Progress
  readonly configuration: Configuration
  readonly clock: Clock
  readonly stop: AbortSignal
  readonly patient: TourPatient
  /** Who sends, looks on and decides: the administration's account. */
  readonly admin: CorridorApi
  /** The facility that patients are referred to. */
  readonly lakeside: CorridorApi
}
