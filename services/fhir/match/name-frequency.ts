/** How often names are borne: two people called Mohamed share less than two people called Thelonious. */
export interface NameFrequency {
  /** How many people there are, at least `populationMin`. */
  readonly population: number
  /** What agreement on this name is worth, in bits. */
  bits(kind: 'family' | 'given', name: string): number
}

export interface NameCount {
  readonly kind: 'family' | 'given'
  readonly name: string
  readonly count: number
}

/** An index that is still small says little about how common names are, or how many strangers will come. */
export const populationMin = 10_000

/** Above this a rare name is likelier a slip of the pen than rare. */
export const nameBitsMax = 12
const nameBitsMin = 3

/** How often a name must occur to be worth less than the most; rarer names need not be kept. */
export const commonCountMin = (population: number) => Math.max(population, populationMin) / 2 ** nameBitsMax

export function nameFrequency(counts: readonly NameCount[], people: number): NameFrequency {
  const population = Math.max(people, populationMin)
  const bits = new Map(counts.map(({ kind, name, count }) => [`${kind} ${name}`, Math.log2(population / count)]))
  return {
    population,
    bits: (kind, name) => Math.min(nameBitsMax, Math.max(nameBitsMin, bits.get(`${kind} ${name}`) ?? nameBitsMax)),
  }
}
