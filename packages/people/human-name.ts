import type { HumanName } from '../fhir/r4.ts'
import { hasBegun, isOver } from './period.ts'

/** The chosen name as written, else its parts with the title before them; what stands behind tells a son from his father. */
export function nameOf(names: readonly HumanName[] = [], now?: Date): string | undefined {
  const name = chosenName(names, now) ?? {}
  const words = (name.text ?? partsOf(name).join(' ')).trim()
  return words === '' ? undefined : words
}

const partsOf = ({ prefix, given, family, suffix }: HumanName): string[] =>
  [prefix, given, [family], suffix].flatMap(said)

/** The given names that are known. */
export const givenIn = ({ given }: Pick<HumanName, 'given'>): string[] => said(given)

/** In JSON a part of which only an extension is known, that it was not told, is null in its list. */
const said = (parts: readonly (string | null | undefined)[] = []): string[] =>
  parts.filter((part) => typeof part === 'string').filter((part) => part.trim() !== '')

/**
 * The official name, else the usual one, else the first that says who somebody is; one that is no longer borne only where
 * there is no other, and one that is not yet borne only where there is not even that.
 */
export function chosenName(names: readonly HumanName[] = [], now?: Date): HumanName | undefined {
  const begun = names.filter((name) => now === undefined || hasBegun(name.period, now))
  const borne = begun.filter((name) => isBorne(name, now))
  const among = borne.length > 0 ? borne : begun.length > 0 ? borneLast(begun) : names
  const named = (wanted: HumanName['use']) => among.find(({ use }) => use === wanted)
  return named('official') ?? named('usual') ?? among.find(({ use }) => use !== 'anonymous') ?? among.at(0)
}

/** A maiden name is one from before. Where nobody says what day it is, a name that has an end has had it. */
function isBorne({ use, period }: HumanName, now: Date | undefined): boolean {
  if (use === 'old' || use === 'maiden') return false
  return now === undefined ? period?.end === undefined : !isOver(period, now)
}

/** Of names that are all over: those that ended last, where that is known of any. */
function borneLast(names: readonly HumanName[]): readonly HumanName[] {
  const ends = names.flatMap(({ period }) => period?.end?.slice(0, 10) ?? []).toSorted()
  const last = ends.at(-1)
  return last === undefined ? names : names.filter(({ period }) => period?.end?.slice(0, 10) === last)
}
