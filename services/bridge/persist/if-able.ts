import { faultOf } from '../../../packages/faults/fault.ts'
import { cannotSearch } from '../../../ports/fhir-store/cannot-search.ts'
import type { FindDeps } from './find-deps.ts'

/** What a search of the store finds. A server that cannot search so is no reason to refuse the message: then it is nothing. */
export async function ifAble<Found>(
  search: () => Promise<readonly Found[]>,
  signal: AbortSignal,
  { breakers }: Pick<FindDeps, 'breakers'>,
): Promise<readonly Found[]> {
  try {
    return await breakers.call('fhir-server', search, signal)
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (cannotSearch(fault)) return []
    throw fault
  }
}
