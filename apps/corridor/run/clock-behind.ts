import type { Clock } from '../../../packages/clock/clock.ts'
import type { BuildInfo } from '../build-info/build-info.ts'
import type { Caution } from '../cautions.ts'

/** A laptop whose battery was empty wakes up in another year. */
export function clockBehind(clock: Pick<Clock, 'now'>, build: Pick<BuildInfo, 'time'> | undefined): Caution[] {
  const now = clock.now()
  // Between time zones that somebody mistook lies a day.
  if (build === undefined || now.getTime() > Date.parse(build.time) - dayMs) return []
  return [
    {
      says: `The clock of this machine says ${now.toISOString()}, and this Corridor was built later, ${build.time}.`,
      advice:
        'Set it, best by a time server, before the first message: stamps, tokens and how long things are kept go by it.',
    },
  ]
}

const dayMs = 86_400_000
