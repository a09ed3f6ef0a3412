/** More than this is not worth the wait for somebody who looks at a failed test. */
const proposalsMax = 2_000

/**
 * Simpler forms of a list of choices: shorter ones, then those with smaller numbers in it. Told after each whether it
 * still fails, the search goes on from there, and ends where nothing simpler does.
 */
export function* simpler(choices: readonly number[]): Generator<readonly number[], void, boolean> {
  let best = choices
  let left = proposalsMax
  for (let isBetter = true; isBetter;) {
    isBetter = false
    for (const propose of [withoutPieces, withSmallerNumbers]) {
      const proposals = propose(best)
      for (let step = proposals.next(); step.done !== true && left-- > 0;) {
        const fails = yield step.value
        if (fails) [best, isBetter] = [step.value, true]
        step = proposals.next(fails)
      }
    }
  }
}

/** Each proposal that is taken is where the next one starts. */
function* withoutPieces(choices: readonly number[]): Generator<readonly number[], void, boolean> {
  let best = choices
  for (let size = best.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at + size <= best.length;) {
      const shorter = best.toSpliced(at, size)
      if (yield shorter) best = shorter
      else at += size
    }
  }
}

function* withSmallerNumbers(choices: readonly number[]): Generator<readonly number[], void, boolean> {
  let best = choices
  for (let at = 0; at < best.length; at++) {
    const number = best[at] ?? 0
    const steps = [8, 64, 512].map((part) => number - Math.floor(number / part))
    for (const smaller of new Set([0, Math.floor(number / 2), ...steps, number - 1])) {
      if (smaller < 0 || smaller >= number) continue
      const lower = best.with(at, smaller)
      if (!(yield lower)) continue
      best = lower
      break
    }
  }
}
