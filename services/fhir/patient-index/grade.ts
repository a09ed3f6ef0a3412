import type { Comparison, Field } from './compare/comparison.ts'

/** The codes of http://terminology.hl7.org/CodeSystem/match-grade that are answered. */
export type Grade = 'certain' | 'probable' | 'possible'

/** The probability that two records are one person, when one of `population` people is meant. */
export function probabilityOf(comparisons: readonly Comparison[], population: number): number {
  const bits = comparisons.reduce((sum, comparison) => sum + comparison.bits, 0) - Math.log2(population)
  return 1 / (1 + 2 ** -bits)
}

/** How many bits make an even chance. */
export const evenChance = ({ population }: { readonly population: number }): number => Math.log2(population)

interface Standing {
  readonly probability: number
  readonly comparisons: readonly Comparison[]
  /** Of the best record of another person; certainty needs that nobody else comes close. */
  readonly nextBest: number
  /**
   * Either record has a name that means "unknown", more candidates share a key than were looked at, or nobody knows how
   * common names are.
   */
  readonly isDoubtful: boolean
}

/** None below an even chance. */
export function gradeOf(standing: Standing): Grade | undefined {
  const { probability } = standing
  if (probability >= 0.999 && mayBeCertain(standing)) return 'certain'
  if (probability >= 0.9) return 'probable'
  return probability >= 0.5 ? 'possible' : undefined
}

function mayBeCertain({ comparisons, nextBest, isDoubtful }: Standing): boolean {
  if (isDoubtful || nextBest >= 0.5) return false
  const found = new Map(comparisons.map(({ field, agreement }) => [field, agreement]))
  const agrees = (field: Field) => found.get(field) === 'agrees'
  const contradicts = (field: Field) => found.get(field) === 'contradicts'
  // Twins share all but the given name, or a part of it, father and son all but the birth date: their numbers, too.
  if (contradicts('given') || contradicts('birthDate') || comparisons.some(({ isMixed }) => isMixed)) return false
  if (agrees('nationalId')) {
    // A newborn is often registered under the mother's number, a family under one card: the number is not the person.
    return contradicts('sex') ? agrees('given') && agrees('birthDate') : agrees('given') || agrees('birthDate')
  }
  if (contradicts('nationalId') || contradicts('sex')) return false
  // Twins have alike names, or one initial, and a newborn has none yet: Amina and Amira of one day and household are two.
  if (found.get('given') === 'partly' && !agrees('recordId')) return false
  return independentFields.filter((fields) => fields.some(agrees)).length >= 3
}

/** A household shares phone and postcode together, so they count once; sex halves the world and does not count. */
const independentFields: readonly (readonly Field[])[] = [
  ['family'],
  ['given'],
  ['birthDate'],
  ['nationalId'],
  ['recordId'],
  ['phone', 'postcode'],
]
