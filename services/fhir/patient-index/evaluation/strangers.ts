import type { Random } from '../../../../packages/clock/ids.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { givens } from './names.ts'
import { madeUpPatient, nameFrom, pick } from './population.ts'

/** Somebody who is not in the index; one in three resembles somebody who is, as relatives and namesakes do. */
export function stranger(id: string, known: readonly Patient[], random: Random): Patient {
  const own = madeUpPatient(id, random)
  if (random.below(10) >= 3) return own
  const other = pick(known, random)
  return pick(resemblances, random)(own, other, random)
}

const resemblances: readonly ((own: Patient, other: Patient, random: Random) => Patient)[] = [
  twin,
  twin,
  namesake,
  child,
]

/** Family name, birth date, phone and address of the other. */
function twin(own: Patient, other: Patient, random: Random): Patient {
  const gender = own.gender === 'female' ? 'female' : 'male'
  const given = nameFrom(givens[gender], random)
  return { ...shared(own, other), birthDate: other.birthDate ?? '', name: [{ ...other.name?.[0], given: [given] }] }
}

/** Both names, and nothing else. */
function namesake(own: Patient, other: Patient): Patient {
  return { ...own, name: other.name ?? [] }
}

/** Both names, phone and address of the parent. */
function child(own: Patient, other: Patient): Patient {
  return { ...shared(own, other), name: other.name ?? [] }
}

const shared = (own: Patient, { telecom, address }: Patient): Patient => ({
  ...own,
  ...(telecom === undefined ? {} : { telecom }),
  ...(address === undefined ? {} : { address }),
})
