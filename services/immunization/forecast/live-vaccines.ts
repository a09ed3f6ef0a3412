import { plus } from './calendar.ts'
import type { PossibleDose } from './count-doses.ts'
import { fourWeeks } from './schedule.ts'
import type { Antigen } from './vaccine-codes.ts'

/** Two live vaccines on different days disturb each other unless four weeks lie between them; those by mouth do not. */
export const isDisturbing = (antigens: readonly Antigen[]): boolean =>
  antigens.some((antigen) => disturbing.has(antigen))

/** The doses that came too soon after a live vaccine, on whichever of their days they were given. */
export function disturbedDoses(given: readonly PossibleDose[]): readonly PossibleDose[] {
  const live = given.filter(({ antigens }) => isDisturbing(antigens))
  return live.filter((later, at) =>
    live.slice(Math.max(0, at - lookBackMax), at).some((earlier) => disturbs(earlier, later)),
  )
}

const disturbing = new Set<Antigen>([
  'measles',
  'mumps',
  'rubella',
  'varicella',
  'yellow-fever',
  'live-influenza',
  'other-live',
])

/** So many live vaccines nobody gets within four weeks. */
const lookBackMax = 20

const disturbs = (earlier: PossibleDose, later: PossibleDose): boolean =>
  earlier.to < later.from && later.to < plus(earlier.from, fourWeeks)
