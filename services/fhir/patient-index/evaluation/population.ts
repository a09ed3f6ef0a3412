import type { Random } from '../../../../packages/clock/ids.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { families, givens } from './names.ts'

/** The same people for the same chance. Common names are common, as in the world; one in four is a rare one. */
export function population(size: number, random: Random): Patient[] {
  return Array.from({ length: size }, (_, number) => madeUpPatient(`p${number}`, random))
}

export function madeUpPatient(id: string, random: Random): Patient {
  const gender = random.below(2) === 0 ? 'female' : 'male'
  const middle = random.below(4) === 0 ? [pick(givens[gender], random)] : []
  return {
    resourceType: 'Patient',
    id,
    identifier: [
      { type: type('MR'), system: `urn:example:facility-${random.below(5)}`, value: `MR${id}` },
      ...(random.below(10) < 7 ? [{ type: type('NI'), system: nationalSystem, value: digits(11, random) }] : []),
    ],
    name: [{ family: nameFrom(families, random), given: [nameFrom(givens[gender], random), ...middle] }],
    gender,
    birthDate: birthDate(random),
    ...(random.below(10) < 8 ? { telecom: [phone(random)] } : {}),
    ...(random.below(10) < 8 ? { address: [{ postalCode: String(10_000 + random.below(400)) }] } : {}),
  }
}

const nationalSystem = 'urn:example:national-id'

export const phone = (random: Random) => ({ system: 'phone' as const, value: `+25471${digits(7, random)}` })

export const digits = (count: number, random: Random): string =>
  Array.from({ length: count }, () => random.below(10)).join('')

/** The n-th name about n times rarer than the first (Zipf). */
export function nameFrom(names: readonly string[], random: Random): string {
  if (random.below(4) === 0) return rareName(random)
  const place = Math.floor(Math.exp(random.fraction() * Math.log(names.length + 1))) - 1
  return names[Math.min(place, names.length - 1)] ?? ''
}

const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'to', 'wa', 'zi', 'dan', 'fer', 'gol', 'har', 'jin', 'tek']

function rareName(random: Random): string {
  const name = Array.from({ length: 2 + random.below(3) }, () => pick(syllables, random)).join('')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function birthDate(random: Random): string {
  const day = new Date(Date.UTC(1935, 0, 2) + random.below(90 * 365) * 86_400_000)
  return day.toISOString().slice(0, 10)
}

const type = (code: string) => ({ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }] })

export function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], random: Random): Item {
  // Sound: every list that comes here has an item.
  return items[random.below(items.length)] as Item
}
