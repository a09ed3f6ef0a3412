import { Fault } from '../../../packages/faults/fault.ts'
import type { Bundle, Resource } from '../../../packages/fhir/r4.ts'
import type { Outbound } from '../../../packages/http/outbound.ts'
import { faultOfStatus } from '../../../ports/fhir-store/http/fault-of-status.ts'
import type { SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import { queryOf } from '../../../ports/fhir-store/query-of.ts'
import { expectResource, matchesOf } from '../../../ports/fhir-store/read-resource.ts'
import { fhirUnavailable } from '../session/refusals.ts'

const pagesMax = 50

/** What the FHIR server holds, as far as the session's token reaches. A refusal for lack of scope is its normal no. */
export class FhirReader {
  readonly #base: string
  readonly #outbound: Pick<Outbound, 'send'>

  /** @param outbound calls with the session's token, see session-outbound.ts. */
  constructor(base: string, outbound: Pick<Outbound, 'send'>) {
    this.#base = base
    this.#outbound = outbound
  }

  /** Undefined when there is none, or none that the token may see. */
  async read<T extends Resource>(type: string, id: string): Promise<T | undefined> {
    const resource = await this.#get(`${this.#base}/${type}/${id}`, type)
    // Sound: its type was just checked.
    return resource === 'missing' || resource === 'forbidden' ? undefined : (resource as T)
  }

  /** Every match, page by page. */
  async searchAll<T extends Resource>(type: string, parameters: SearchParameters): Promise<readonly T[] | 'forbidden'> {
    const found: T[] = []
    let address: string | undefined = `${this.#base}/${type}?${queryOf({ ...parameters, _count: '200' })}`
    for (let page = 0; address !== undefined; page++) {
      if (page === pagesMax) throw fhirUnavailable('a search has no end')
      const bundle = await this.#get(address, 'Bundle')
      if (bundle === 'forbidden') return 'forbidden'
      if (bundle === 'missing') throw fhirUnavailable('a search is not there')
      const matches = matchesOf(bundle as Bundle).filter((resource) => resource.resourceType === type)
      found.push(...(matches as unknown as T[]))
      address = this.#nextOf(bundle as Bundle)
    }
    return found
  }

  /** A page elsewhere would get the patient's token. */
  #nextOf({ link = [] }: Bundle): string | undefined {
    const next = link.find(({ relation }) => relation === 'next')?.url
    if (next === undefined) return undefined
    const address = new URL(next, `${this.#base}/`)
    const isHere = [`${this.#base}/`, `${this.#base}?`].some((start) => address.href.startsWith(start))
    if (!isHere) throw fhirUnavailable('the next page lies on another server')
    return address.href
  }

  async #get(url: string, type: string): Promise<Resource | 'missing' | 'forbidden'> {
    try {
      const response = await this.#outbound.send({ url, headers: { accept: 'application/fhir+json' } })
      const fault = faultOfStatus(response, { hasVersion: false })
      if (fault?.kind === 'missing' || fault?.kind === 'forbidden') return fault.kind
      if (fault !== undefined) throw fault
      return expectResource(response.json(), type)
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.kind === 'bug' || thrown.kind === 'unauthenticated') throw thrown
      throw fhirUnavailable(thrown.logged ?? thrown.code ?? thrown.kind, thrown)
    }
  }
}
