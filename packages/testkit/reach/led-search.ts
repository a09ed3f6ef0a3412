import { oneOf, type Choose } from '../cases.ts'

/** What is searched, and how. */
export interface Searched<Input> {
  readonly seeds: readonly Input[]
  /** Another input, made of one that is kept and, where it takes parts of another, of any that is. */
  readonly change: (choose: Choose, from: Input, kept: readonly Input[]) => Input
  /** What is wrong with what came of it, in words; throwing is wrong too. */
  readonly attempt: (input: Input) => string | undefined
  /** Whether the last attempt went where none has gone before. */
  readonly wentFurther: () => boolean
}

export interface Found<Input> {
  readonly what: string
  readonly input: Input
}

export interface SearchResult<Input> {
  /** The inputs that went further than those before, the seeds among them. */
  readonly kept: readonly Input[]
  /** Each fault once, with the first input that showed it. */
  readonly found: readonly Found<Input>[]
}

/** So many of the inputs kept last are changed as often as all others together: they stand where nobody looked yet. */
const newest = 200

/**
 * Changes inputs and keeps those that go further, to change them again: what stands behind five conditions is found one
 * condition after the other, and not by a guess that meets all five.
 */
export function ledSearch<Input>(searched: Searched<Input>, tries: number, choose: Choose): SearchResult<Input> {
  const { seeds, change, attempt, wentFurther } = searched
  const kept = [...seeds]
  const found = new Map<string, Found<Input>>()
  const look = (input: Input) => {
    const what = faultIn(attempt, input)
    // Numbers and texts of the input make no other fault of it.
    const kind = what?.replaceAll(/\d+|"[^"]*"/g, '…')
    if (what !== undefined && kind !== undefined && !found.has(kind)) found.set(kind, { what, input })
    return wentFurther()
  }
  for (const seed of seeds) look(seed)
  for (let attempted = 0; attempted < tries; attempted++) {
    const from = choose(2) === 0 ? oneOf(choose, kept) : oneOf(choose, kept.slice(-newest))
    const input = change(choose, from, kept)
    if (look(input)) kept.push(input)
  }
  return { kept, found: [...found.values()] }
}

function faultIn<Input>(attempt: (input: Input) => string | undefined, input: Input): string | undefined {
  try {
    return attempt(input)
  } catch (thrown) {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  }
}
