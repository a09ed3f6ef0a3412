import { seededRandom } from '../clock/ids.ts'
import { testSeed } from './test-seed.ts'
import { simpler } from './simpler.ts'

/** A whole number from 0 up to, not including, the bound. A case is made of such choices and of nothing else. */
export type Choose = (below: number) => number

/** Choices of the case that begins at that seed. */
export function chosenBy(seed: number): Choose {
  const random = seededRandom(seed)
  return (below) => random.below(below)
}

/**
 * Tries something on many cases, for where a property's own machinery would cost more than what it looks at. Each case
 * has the seed after that of the case before: one that fails is reduced, and told with the seed that makes it the
 * first one.
 */
export function tryCases<Case>(count: number, make: (choose: Choose) => Case, hold: (made: Case) => void): void {
  const seed = testSeed()
  const failing = withoutStacks(() => {
    for (let index = 0; index < count; index++) {
      try {
        hold(make(chosenBy(seed + index)))
      } catch {
        return seed + index
      }
    }
    return undefined
  })
  if (failing !== undefined) throw reduced(failing, make, hold)
}

/** What refuses a case as it should is an error too, and its stack, which nobody reads, costs more than the case. */
function withoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function reduced<Case>(seed: number, make: (choose: Choose) => Case, hold: (made: Case) => void): Error {
  const failureOf = (choose: Choose) => {
    const made = make(choose)
    try {
      hold(made)
      return undefined
    } catch (thrown) {
      return failedCase(seed, made, thrown)
    }
  }
  const choices: number[] = []
  let failure = failureOf(recorded(chosenBy(seed), choices))
  const search = simpler(choices)
  for (let step = search.next(); step.done !== true;) {
    const found = failureOf(replayed(step.value))
    failure = found ?? failure
    step = search.next(found !== undefined)
  }
  return failure ?? new Error(`the case of CORRIDOR_TEST_SEED=${seed} failed once and then no more`)
}

function failedCase(seed: number, made: unknown, cause: unknown): Error {
  const what = cause instanceof Error ? cause.message : String(cause)
  return new Error(`CORRIDOR_TEST_SEED=${seed} begins with what fails, reduced to ${JSON.stringify(made)}: ${what}`, {
    cause,
  })
}

/** The same choices, written down as they are made. */
export function recorded(choose: Choose, into: number[]): Choose {
  return (below) => {
    const chosen = choose(below)
    into.push(chosen)
    return chosen
  }
}

/** The choices of a list, and 0 after its end. */
export function replayed(choices: readonly number[]): Choose {
  let at = 0
  return (below) => Math.min(choices[at++] ?? 0, below - 1)
}

/** One of a list that is not empty. */
export function oneOf<Value>(choose: Choose, values: readonly Value[]): Value {
  // Sound: the choice is below the length, and `below` refuses a bound of 0.
  return values[choose(values.length)] as Value
}
