import { Fault } from '../../../packages/faults/fault.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import type { FhirStore, SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import { typeOf } from '../../../ports/fhir-store/read-resource.ts'
import { fhirUnavailable } from '../session/refusals.ts'

/** What the FHIR server holds, as far as the session's token reaches. A refusal for lack of scope is its normal no. */
export class FhirReader {
  readonly #store: Pick<FhirStore, 'read' | 'searchAll'>

  /** @param store calls with the session's token, see session-outbound.ts. */
  constructor(store: Pick<FhirStore, 'read' | 'searchAll'>) {
    this.#store = store
  }

  /** Undefined when there is none, or none that the token may see. */
  async read<T extends Resource>(type: string, id: string): Promise<T | undefined> {
    const found = await unlessForbidden(this.#store.read<T>(type, id))
    return found === 'forbidden' ? undefined : found
  }

  /** Every match, page by page. */
  async searchAll<T extends Resource>(type: string, parameters: SearchParameters): Promise<readonly T[] | 'forbidden'> {
    const found = await unlessForbidden(this.#store.searchAll<T>(type, parameters))
    return found === 'forbidden' ? found : found.filter((resource) => typeOf(resource) === type)
  }
}

async function unlessForbidden<T>(asked: Promise<T>): Promise<T | 'forbidden'> {
  try {
    return await asked
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.kind === 'bug' || thrown.kind === 'unauthenticated') throw thrown
    if (thrown.kind === 'forbidden') return 'forbidden'
    throw fhirUnavailable(thrown.logged ?? thrown.code ?? thrown.kind, thrown)
  }
}
