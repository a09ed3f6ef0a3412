import { patternTree, type Tree } from './pattern-tree.ts'
import { alphabetOf, signsOf, type Signs } from './signs.ts'

/** The signs of a pattern in their order, and after each the signs that it may go on with. */
export interface Steps {
  readonly signs: readonly Signs[]
  /** A sign that can be reached in two ways is named twice: that is what a matcher tries twice. */
  readonly next: readonly (readonly number[])[]
  /** Where the pattern may end with nothing left to check: once there, it matches and tries nothing more. */
  readonly free: ReadonlySet<number>
}

/**
 * The steps of a pattern. One that may begin anywhere begins with a sign of its own, which takes anything: so the tries
 * from every place of a text are tries of one pattern.
 *
 * One sign a fixed number of times is that many signs. Any other limited number counts as unlimited, because sixty times
 * sixty are many as well: more ways are seen than there are, and never fewer.
 */
export function patternSteps(pattern: RegExp): Steps {
  const tree = patternTree(pattern)
  const isAnchored = pattern.sticky || (!pattern.multiline && beginsAtStart(tree))
  const builder = new Builder(pattern)
  const { free } = builder.add(isAnchored ? tree : { kind: 'sequence', parts: [anything, tree] })
  return { signs: builder.signs, next: builder.next, free: new Set(free) }
}

const anything: Tree = { kind: 'repeat', of: { kind: 'sign', atom: '[^]' }, min: 0, max: Infinity }

/** Backwards a loop goes over all that came before: as much work as one that goes over anything that comes. */
const seenFrom = ({ of, isBehind }: Extract<Tree, { kind: 'look' }>): Tree =>
  isBehind && hasLoop(of) ? { kind: 'sequence', parts: [anything, of] } : of

function hasLoop(tree: Tree): boolean {
  if (tree.kind === 'repeat') return (tree.max > 1 && !isWrittenOut(tree)) || hasLoop(tree.of)
  if (tree.kind === 'sequence') return tree.parts.some(hasLoop)
  if (tree.kind === 'choice') return tree.ways.some(hasLoop)
  return tree.kind === 'look' && hasLoop(tree.of)
}

function beginsAtStart(tree: Tree): boolean {
  if (tree.kind === 'place') return tree.sign === '^'
  if (tree.kind === 'choice') return tree.ways.every(beginsAtStart)
  return tree.kind === 'sequence' && tree.parts[0] !== undefined && beginsAtStart(tree.parts[0])
}

const isWrittenOut = ({ of, min, max }: Extract<Tree, { kind: 'repeat' }>): boolean =>
  of.kind === 'sign' && min === max && max <= 64

/** A part of the pattern: in how many ways it takes nothing (two stand for more), and where it begins and ends. */
interface Part {
  readonly empty: number
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly free: readonly number[]
  readonly isFreeWhenEmpty: boolean
}

const nothing: Part = { empty: 1, first: [], last: [], free: [], isFreeWhenEmpty: true }

class Builder {
  readonly signs: Signs[] = []
  readonly next: number[][] = []
  readonly #flags: string
  readonly #alphabet: readonly string[]

  constructor({ source, flags }: RegExp) {
    this.#flags = flags
    this.#alphabet = alphabetOf(source)
  }

  add(tree: Tree): Part {
    switch (tree.kind) {
      case 'sign':
        return this.#sign(tree.atom)
      case 'sequence':
        return tree.parts.reduce<Part>((before, part) => this.#then(before, this.add(part)), nothing)
      case 'choice':
        return joined(tree.ways.map((way) => this.add(way)))
      case 'repeat':
        return isWrittenOut(tree)
          ? this.add({ kind: 'sequence', parts: Array.from({ length: tree.max }, () => tree.of) })
          : this.#repeated(this.add(tree.of), tree)
      case 'look':
        // It is tried from here, and whatever it takes is given back.
        return { ...nothing, first: this.add(seenFrom(tree)).first, isFreeWhenEmpty: false }
      case 'place':
      default:
        return { ...nothing, isFreeWhenEmpty: false }
    }
  }

  #sign(atom: string): Part {
    const place = this.signs.push(signsOf(atom, this.#flags, this.#alphabet)) - 1
    this.next.push([])
    return { empty: 0, first: [place], last: [place], free: [place], isFreeWhenEmpty: false }
  }

  #then(before: Part, after: Part): Part {
    this.#link(before.last, after.first)
    return {
      empty: Math.min(2, before.empty * after.empty),
      first: [...before.first, ...times(before.empty, after.first)],
      last: [...times(after.empty, before.last), ...after.last],
      free: [...(after.isFreeWhenEmpty ? before.free : []), ...after.free],
      isFreeWhenEmpty: before.isFreeWhenEmpty && after.isFreeWhenEmpty,
    }
  }

  /** JavaScript leaves a round out that took nothing, once it has made those that it must. */
  #repeated(part: Part, { min, max }: { readonly min: number; readonly max: number }): Part {
    if (max > 1) this.#link(part.last, part.first)
    return min > 0 ? part : { ...part, empty: 1, isFreeWhenEmpty: true }
  }

  #link(from: readonly number[], to: readonly number[]): void {
    for (const place of from) this.next[place]?.push(...to)
  }
}

const joined = (parts: readonly Part[]): Part => ({
  empty: Math.min(
    2,
    parts.reduce((total, { empty }) => total + empty, 0),
  ),
  first: parts.flatMap(({ first }) => first),
  last: parts.flatMap(({ last }) => last),
  free: parts.flatMap(({ free }) => free),
  isFreeWhenEmpty: parts.some(({ isFreeWhenEmpty }) => isFreeWhenEmpty),
})

const times = (count: number, places: readonly number[]) =>
  count === 2 ? [...places, ...places] : count === 1 ? places : []
