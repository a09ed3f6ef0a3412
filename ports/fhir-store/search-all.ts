import type { Bundle, Resource } from '../../packages/fhir/r4.ts'
import type { SearchParameters } from './fhir-store.ts'
import { broken, matchesOf } from './read-resource.ts'

/** What to ask for: a search, or the address of a page that only its server understands. */
export type WantedPage = SearchParameters | string

const pageRows = '200'
/** A server whose pages never end is not followed for ever. */
const pagesMax = 500

/** Every match, page by page, in the order of the search. What cannot be had whole is a fault, and never a part. */
export async function searchAll(
  type: string,
  parameters: SearchParameters,
  pageOf: (wanted: WantedPage) => Promise<Bundle>,
): Promise<Resource[]> {
  const found: Resource[] = []
  let wanted: WantedPage | undefined = { _count: pageRows, ...parameters }
  for (let page = 0; wanted !== undefined; page++) {
    if (page === pagesMax) throw broken('a search has no end')
    const bundle = await pageOf(wanted)
    found.push(...matchesOf(bundle))
    wanted = nextOf(bundle, type)
  }
  return found
}

/** A server may call itself by another address than we do: where the link is a search, it is asked for as one. */
function nextOf({ link = [] }: Bundle, type: string): WantedPage | undefined {
  const next = link.find(({ relation }) => relation === 'next')?.url
  if (next === undefined) return undefined
  const address = URL.parse(next, 'http://relative/')
  if (address === null) throw broken('the address of the next page is none')
  const isSearch = address.pathname.endsWith(`/${type}`) || address.pathname.endsWith(`/${type}/_search`)
  if (!isSearch) return next
  const names = new Set(address.searchParams.keys())
  return Object.fromEntries([...names].map((name) => [name, address.searchParams.getAll(name)]))
}
