import type { Patient } from '../fhir/r4.ts'
import { ageIn } from './age.ts'

/** That a patient has died, with what is known of it. */
export interface Death {
  /** As exactly as it is known: a day, a month or a year; undefined where only the death is known. */
  readonly day: string | undefined
  /** In words, and no more exactly than birth and death are known: `84 years`, `84–85 years`. */
  readonly age: string | undefined
}

/** Undefined for the living. The day is the written one, never moved by a zone. */
export function deathOf({ birthDate, deceasedBoolean, deceasedDateTime }: Patient): Death | undefined {
  if (deceasedDateTime === undefined) return deceasedBoolean === true ? { day: undefined, age: undefined } : undefined
  const day = /^\d{4}(-\d{2}(-\d{2})?)?/.exec(deceasedDateTime)?.[0]
  const isKnown = day !== undefined && birthDate !== undefined
  return { day, age: isKnown ? ageIn(birthDate, day) : undefined }
}
