import type { NameFrequency } from '../name-frequency.ts'
import type { PersonName } from '../person.ts'
import type { Comparison } from './comparison.ts'
import { jaroWinkler } from './jaro-winkler.ts'
import { most } from './most.ts'

/** The best that any name of one says about any name of the other: people keep a maiden name beside their own. */
export function compareNames(
  ones: readonly PersonName[],
  others: readonly PersonName[],
  frequency: NameFrequency,
): Comparison[] {
  let best: Comparison[] = []
  let bestBits = Number.NEGATIVE_INFINITY
  for (const one of ones) {
    for (const other of others) {
      for (const found of [inOrder(one, other, frequency), swapped(one, other, frequency)]) {
        const bits = found.reduce((sum, comparison) => sum + comparison.bits, 0)
        if (found.length > 0 && (bits > bestBits || (bits === bestBits && isMixed(found))))
          [best, bestBits] = [found, bits]
      }
    }
  }
  return best
}

/** A shorter name that is kept beside the full one does not hide what the full one says. */
const isMixed = (found: readonly Comparison[]) => found.some((comparison) => comparison.isMixed)

function inOrder(one: PersonName, other: PersonName, frequency: NameFrequency): Comparison[] {
  const found = (['family', 'given'] as const).flatMap((field) => {
    const agreement = compare[field](one[field], other[field], (part) => frequency.bits(field, part))
    return agreement === undefined ? [] : [{ field, ...agreement }]
  })
  return (one.given === '') === (other.given === '') ? found : [...found, unsaidGiven]
}

/** Only one of them has a given name: it says nothing, and leaves open who of a family the other is. */
const unsaidGiven: Comparison = { field: 'given', agreement: 'partly', bits: 0 }

/** Given and family name in each other's place, at a price. It must fit on both sides to be believed. */
function swapped(one: PersonName, other: PersonName, frequency: NameFrequency): Comparison[] {
  const turned = { family: other.given, given: other.family }
  const found = inOrder(one, turned, frequency)
  if (found.length < 2 || found.some(({ agreement }) => agreement === 'contradicts')) return []
  return found.map((comparison) => ({ ...comparison, bits: comparison.bits - swapPrice / 2 }))
}

const swapPrice = 3
const contradictionBits = -5
const initialBits = 1

const closeLikeness = 0.92
const partialLikeness = 0.85

/** Shares of what exact agreement is worth. */
const closeShare = 0.7
const partialShare = 0.3

type NameAgreement = Omit<Comparison, 'field'>

/** Of family names people keep one and change the other. Given names stay, and of two siblings each has its own. */
const compare = { family: compareName, given: compareGiven } as const

function compareGiven(a: string, b: string, bitsOf: (part: string) => number): NameAgreement | undefined {
  const found = compareName(a, b, bitsOf)
  if (found === undefined || found.agreement === 'contradicts' || a === b || !areMixed(a, b)) return found
  return { ...found, agreement: 'partly', isMixed: true }
}

function compareName(a: string, b: string, bitsOf: (part: string) => number): NameAgreement | undefined {
  if (a === '' || b === '') return undefined
  const partsOfA = a.split(' ')
  const partsOfB = b.split(' ')
  const worth = (parts: readonly string[]) => most(parts.map(bitsOf))
  if (a === b || partsOfA.join('') === partsOfB.join('')) return { agreement: 'agrees', bits: worth(partsOfA) }
  const shared = partsOfA.filter((part) => part.length > 1 && partsOfB.includes(part))
  if (shared.length > 0) return { agreement: 'agrees', bits: closeShare * worth(shared) }
  if (isInitial(partsOfA, partsOfB)) return { agreement: 'partly', bits: initialBits }
  const likeness = jaroWinkler(partsOfA.join(''), partsOfB.join(''))
  if (likeness < partialLikeness) return { agreement: 'contradicts', bits: contradictionBits }
  // A slip makes a rare name of a common one, so the commoner of the two says what the agreement is worth.
  const bits = Math.min(worth(partsOfA), worth(partsOfB))
  return { agreement: 'partly', bits: (likeness >= closeLikeness ? closeShare : partialShare) * bits }
}

/** Anna Maria and Eva Maria. A part that only one of them has was left out by the other: Anna Maria and Maria. */
function areMixed(a: string, b: string): boolean {
  const partsOfA = a.split(' ')
  const partsOfB = b.split(' ')
  // A name in one part may be the whole of two: Annamaria.
  if (partsOfA.length === 1 || partsOfB.length === 1) return false
  return hasOwnPart(partsOfA, partsOfB) && hasOwnPart(partsOfB, partsOfA)
}

const hasOwnPart = (parts: readonly string[], others: readonly string[]) =>
  parts.some((part) => !others.some((other) => isSamePart(part, other)))

const isSamePart = (a: string, b: string) => a === b || isInitial([a], [b]) || jaroWinkler(a, b) >= partialLikeness

function isInitial(partsOfA: readonly string[], partsOfB: readonly string[]): boolean {
  const [a = '', b = ''] = [partsOfA[0], partsOfB[0]]
  return (a.length === 1 || b.length === 1) && a[0] === b[0]
}
