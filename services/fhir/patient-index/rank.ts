import { comparePeople } from './compare/compare.ts'
import type { Comparison } from './compare/comparison.ts'
import { evenChance, gradeOf, probabilityOf, type Grade } from './grade.ts'
import type { NameFrequency } from './name-frequency.ts'
import type { Person } from './person.ts'

/** A record that shares a blocking key with the person who is looked for. */
export interface Candidate {
  readonly patientId: string
  /** The person that this record belongs to; its own id while nobody has linked it. */
  readonly goldenId: string
  /** Records that were golden until they were merged into the golden record of this one. */
  readonly goldenBefore?: readonly string[]
  readonly person: Person
}

export interface Match {
  readonly patientId: string
  readonly goldenId: string
  readonly goldenBefore?: readonly string[]
  readonly probability: number
  readonly grade: Grade
  readonly comparisons: readonly Comparison[]
}

interface RankOptions {
  readonly frequency: NameFrequency
  /** More records share a key than were brought; the best may be missing. */
  readonly isTruncated: boolean
}

/** The candidates that are at least possible, the likeliest first. */
export function rank(person: Person, candidates: readonly Candidate[], options: RankOptions): Match[] {
  const { frequency, isTruncated } = options
  const bitsMin = evenChance(frequency)
  const scored = candidates
    .map((candidate) => {
      const comparisons = comparePeople(person, candidate.person, frequency, bitsMin)
      return { candidate, comparisons, probability: probabilityOf(comparisons, frequency.population) }
    })
    .filter(({ probability }) => probability >= 0.5)
    .sort((a, b) => b.probability - a.probability || compareIds(a.candidate.patientId, b.candidate.patientId))
  return scored.flatMap(({ candidate, comparisons, probability }) => {
    const { person: other, ...whose } = candidate
    // Records of the same person do not compete: a person known in three places is known for certain.
    const rival = scored.find(({ candidate: { goldenId } }) => goldenId !== whose.goldenId)
    const isDoubtful = isTruncated || frequency.isGuessed === true || person.isUnnamed || other.isUnnamed
    const grade = gradeOf({ probability, comparisons, nextBest: rival?.probability ?? 0, isDoubtful })
    return grade === undefined ? [] : [{ ...whose, probability, grade, comparisons }]
  })
}

/** How alike two are of whom somebody has to decide, whatever it comes to. */
export function matchOf(person: Person, candidate: Candidate, frequency: NameFrequency): Match {
  const { patientId, goldenId } = candidate
  const comparisons = comparePeople(person, candidate.person, frequency)
  const probability = probabilityOf(comparisons, frequency.population)
  const grade = gradeOf({ probability, comparisons, nextBest: 0, isDoubtful: true }) ?? 'possible'
  return { patientId, goldenId, probability, grade, comparisons }
}

export const compareIds = (a: string, b: string) => (a < b ? -1 : 1)
