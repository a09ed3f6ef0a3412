// A worker of its own: what it imports is read with counters in it, which nothing else shall have.
import { parentPort, workerData } from 'node:worker_threads'
import { chosenBy } from '../../../packages/testkit/cases.ts'
import { ledSearch, type Found } from '../../../packages/testkit/reach/led-search.ts'
import { Reach } from '../../../packages/testkit/reach/reach.ts'
import { simpler } from '../../../packages/testkit/simpler.ts'
import type { SearchOrder, SearchReport, Target } from './target.ts'

// Sound: the test beside it gives nothing else.
const { target, tries, seed } = workerData as SearchOrder
const counted = { reading: /\/packages\/hl7\//, mapping: /\/services\/bridge\/mapping\// }[target]
const reach = new Reach((path) => counted.test(path) && !/\/testing\/|\.test\.ts$/.test(path))
const { makeTarget } = (await import(`./${target}.ts`)) as { makeTarget: () => Target | Promise<Target> }
const searched = await makeTarget()
// Faults are told by where they are thrown; refusals are thrown too, and nobody reads their stacks.
Error.stackTraceLimit = 5
// What is read at the start, such as tables, is not reached by a message.
reach.takeNew()

const wentFurther = () => reach.takeNew()
const bySeeds = ledSearch({ ...searched, wentFurther }, 0, chosenBy(seed))
const reachedBySeeds = reach.reached
const { kept, found } = ledSearch({ ...searched, wentFurther }, tries, chosenBy(seed))
const report: SearchReport = {
  ...{ seeds: searched.seeds.length, kept: kept.length },
  ...{ places: reach.places, reachedBySeeds, reached: reach.reached },
  found: [...bySeeds.found, ...found].map(reduced),
}
parentPort?.postMessage(report, [])

/** The same fault, shown by as little of the message as shows it. */
function reduced({ what, input }: Found<string>): string {
  const signs = Array.from(input, (sign) => sign.codePointAt(0) ?? 0)
  const textOf = (points: readonly number[]) => String.fromCodePoint(...points)
  let least = signs
  const search = simpler(signs)
  for (let step = search.next(); step.done !== true;) {
    const { found: again } = ledSearch({ ...searched, seeds: [textOf(step.value)], wentFurther }, 0, chosenBy(seed))
    const isSame = again.some((one) => firstLine(one.what) === firstLine(what))
    if (isSame) least = [...step.value]
    step = search.next(isSame)
  }
  return `${what}\n  of ${JSON.stringify(textOf(least))}`
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
