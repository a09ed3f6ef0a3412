import { chosenBy, recorded, replayed } from '../../../packages/testkit/cases.ts'
import { simpler } from '../../../packages/testkit/simpler.ts'
import type { Fuzzed } from './route-requests.ts'
import type { Make } from './strange-values.ts'

/** The simplest request like the one of that seed that still fails, and how, in a sentence. */
export async function reducedRequest(
  seed: number,
  make: Make<Fuzzed>,
  failureOf: (request: Fuzzed) => Promise<string | undefined>,
): Promise<string | undefined> {
  const choices: number[] = []
  let told: string | undefined
  const fails = async (request: Fuzzed) => {
    const failure = await failureOf(request)
    if (failure !== undefined) told = `${JSON.stringify(request)} ${failure}`
    return failure !== undefined
  }
  if (!(await fails(make(recorded(chosenBy(seed), choices))))) return undefined
  const search = simpler(choices)
  for (let step = search.next(); step.done !== true;) step = search.next(await fails(make(replayed(step.value))))
  return told
}
