import { systemClock, type Clock } from '../clock/clock.ts'

/** The real clock with deadlines ten times as long, for what has to end well on a busy machine, too. */
export const patientClock: Clock = {
  ...systemClock,
  deadline: (ms, reason) => systemClock.deadline(10 * ms, reason),
}
