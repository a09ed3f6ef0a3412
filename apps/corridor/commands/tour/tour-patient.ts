import type { Clock } from '../../../../packages/clock/clock.ts'
import type { Random } from '../../../../packages/clock/ids.ts'

/** Somebody who does not exist, and another one at every tour: the patient index must not take them for the last one. */
export interface TourPatient {
  readonly given: string
  readonly family: string
  /** `19850312`. */
  readonly born: string
  readonly phone: string
  /** The same in every number of the tour. */
  readonly run: string
  readonly recordNumber: string
  readonly nationalId: string
}

export function newPatient({ clock, random }: { readonly clock: Clock; readonly random: Random }): TourPatient {
  const run = `${clock.now().getTime().toString(36)}${random
    .below(36 ** 3)
    .toString(36)
    .padStart(3, '0')}`.toUpperCase()
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    given: pick(givenNames, random),
    family: pick(familyNames, random),
    born: `${1940 + random.below(65)}${two(1 + random.below(12))}${two(1 + random.below(28))}`,
    phone: `+22177${String(random.below(10_000_000)).padStart(7, '0')}`,
    run,
    recordNumber: `T${run}`,
    nationalId: `SN${run}`,
  }
}

export const fullName = ({ given, family }: TourPatient): string => `${given} ${family}`

const pick = (names: readonly string[], random: Random): string => names[random.below(names.length)] ?? ''

const givenNames = [
  ...['Awa', 'Binta', 'Coumba', 'Dieynaba', 'Esi', 'Fanta', 'Gnima', 'Hawa', 'Ife', 'Jamila', 'Khady', 'Lena'],
  ...['Mariama', 'Nafi', 'Oumou', 'Penda', 'Ramata', 'Seynabou', 'Thioro', 'Umi', 'Wanjiru', 'Yacine', 'Zeinab'],
]

const familyNames = [
  ...['Achebe', 'Balde', 'Camara', 'Diop', 'Eze', 'Faye', 'Gueye', 'Hassan', 'Igwe', 'Jalloh', 'Kamau', 'Lo'],
  ...['Mbaye', 'Ndiaye', 'Otieno', 'Pouye', 'Quaye', 'Sarr', 'Toure', 'Umar', 'Wade', 'Yeboah', 'Zongo'],
]
