import { timeRangeOf } from '../../packages/fhir/date.ts'
import { fold } from '../../packages/fhir/fold.ts'
import type { SearchParameters } from './fhir-store.ts'

/** Nobody types more; every further word only narrows what is found. */
const wordsMax = 8

/**
 * The searches that together find whom somebody meant: by name, and by identifier or day of birth where what was typed
 * has a digit in it. None for nothing.
 */
export function patientSearches(typed: string): readonly SearchParameters[] {
  const names = readingsOf(typed).map((name) => ({ name }))
  return /\d/.test(typed) ? [...names, { identifier: typed.trim() }, ...birthSearches(typed)] : names
}

/** Namesakes are told apart by the day of birth, or as much of it as is known: `Diallo 1988`, `Amina Diallo 1988-07-09`. */
function birthSearches(typed: string): readonly SearchParameters[] {
  const birthdate = typed.split(/[\s,]+/).find(isBirthDate)
  if (birthdate === undefined) return []
  const names = readingsOf(typed.replace(birthdate, ' '))
  return names.length === 0 ? [{ birthdate }] : names.map((name) => ({ name, birthdate }))
}

/** A year in which somebody of today can be born, a month or a day of one: any other is refused by servers. */
const isBirthDate = (word: string): boolean =>
  /^(?:19|20)\d{2}(?:-\d{2}){0,2}$/.test(word) && timeRangeOf(word) !== undefined

/**
 * A search for a name begins where a part of the name begins, and several searches must all fit. What was typed is read
 * as one part (`name.text`, two given names in one), as a part for each word, and as two parts for those whose family
 * name has several words: `Jan van der Berg`, `van der Berg, Jan`.
 */
function readingsOf(typed: string): readonly (readonly string[])[] {
  const parts = typed
    .split(',')
    .flatMap((part) => wordsIn(part).join(' ') || [])
    .slice(0, wordsMax)
  const [first, ...rest] = wordsIn(parts.join(' '))
  if (first === undefined) return []
  const inTwo = parts.length > 1 ? parts : [first, rest.join(' ')]
  const readings = [[parts.join(' ')], [first, ...rest], inTwo].map((reading) => reading.filter((part) => part !== ''))
  return [...new Map(readings.map((reading) => [reading.join(','), reading])).values()]
}

/** An accent that stands alone says nothing, and no server looks for nothing. */
const wordsIn = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .filter((word) => fold(word) !== '')
    .slice(0, wordsMax)
