import { faultOf } from '../../packages/faults/fault.ts'

/** For a page that says something without the store, too: undefined while that is away. */
export async function unlessAway<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (away.has(fault.kind)) return undefined
    throw fault
  }
}

const away: ReadonlySet<string> = new Set(['unavailable', 'too-much'])
