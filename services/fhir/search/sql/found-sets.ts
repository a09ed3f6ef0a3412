import type { Key } from '../../store/keys.ts'
import type { Match } from '../ast.ts'

/**
 * The keys of the sets (and of resources with rows of their own) that have a value which a condition seeks in resources of
 * these types; undefined where the values are not shared or the keys are too many.
 */
export type FoundSets = (match: Match, types: readonly string[]) => readonly Key[] | undefined

export const noSets: FoundSets = () => undefined
