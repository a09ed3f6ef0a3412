/** How often names are borne: two people called Mohamed share less than two people called Thelonious. */
export interface NameFrequency {
  /** How many people there are, at least `populationMin`. */
  readonly population: number
  /** What agreement on this name is worth, in bits. */
  bits(kind: 'family' | 'given', name: string): number
  /** Nobody knows how common a name is: a common one would make somebody certain, or a rival unlikely. */
  readonly isGuessed?: true
}

export interface NameCount {
  readonly kind: 'family' | 'given'
  readonly name: string
  readonly count: number
}

/** An index that is still small says little about how many strangers will come. */
const populationMin = 10_000

/** Above this a rare name is likelier a slip of the pen than rare. */
export const nameBitsMax = 12
const nameBitsMin = 3

/** What is believed before anything is counted: as if of 2,000 people one in 512 bore each name. */
const believedPeople = 2_000
const believedCount = believedPeople / 512

/** How often a name must occur to be worth less than the most; rarer names need not be kept. */
export const commonCountMin = (people: number): number =>
  Math.max(0, Math.floor((people + believedPeople) / 2 ** nameBitsMax - believedCount))

export function nameFrequency(counts: readonly NameCount[], people: number): NameFrequency {
  const worth = (count: number) => {
    const bits = Math.log2((people + believedPeople) / (count + believedCount))
    return Math.min(nameBitsMax, Math.max(nameBitsMin, bits))
  }
  const known = new Map(counts.map(({ kind, name, count }) => [`${kind} ${name}`, worth(count)]))
  const unknown = worth(0)
  return {
    population: Math.max(people, populationMin),
    bits: (kind, name) => known.get(`${kind} ${name}`) ?? unknown,
  }
}

/** For those who may not learn how many there are and how many bear a name: every score would tell it. */
export const uncounted: NameFrequency = nameFrequency([], 0)

/** Where nothing could be counted: a large index, names as they are believed to be, and no match is certain. */
export const uncountable: NameFrequency = { ...uncounted, population: 10_000_000, isGuessed: true }
