import type { Random } from '../../../packages/clock/ids.ts'
import type { Calendar } from './calendar.ts'

export interface DemoTools {
  readonly calendar: Calendar
  readonly random: Random
}
