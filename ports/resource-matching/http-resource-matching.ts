import { incorrect } from '../../packages/faults/fault.ts'
import type { Bundle, BundleEntry, Resource } from '../../packages/fhir/r4.ts'
import type { FhirStore } from '../fhir-store/fhir-store.ts'
import type { CallOptions } from '../call-options.ts'
import { faultOfEntry } from '../fhir-store/http/fault-of-entry.ts'
import { broken, hasMore, matchesOf } from '../fhir-store/read-resource.ts'
import type { Criteria, ResourceMatching, SoughtVersion } from './resource-matching.ts'

/** Most servers take these many entries in a batch, and as many ids in a query. */
const atOnceMax = 100

/**
 * Any FHIR R4 server, through its store port: versions in a batch, and criteria by searching among the ids. A search
 * knows only what is current: of a resource that has changed since, the newer version decides.
 */
export function httpResourceMatching(store: FhirStore): ResourceMatching {
  return {
    async readVersions(versions, options) {
      const found: (Resource | undefined)[] = []
      for (const part of parts(versions)) found.push(...(await readPart(part, store, options)))
      return found
    },
    async matches(criteria, resources, options) {
      const ids = new Set<string>()
      for (const part of parts(resources)) {
        for (const { id } of await searchPart(criteria, part, store, options)) if (id !== undefined) ids.add(id)
      }
      return resources.map(({ id }) => id !== undefined && ids.has(id))
    },
  }
}

async function readPart(versions: readonly SoughtVersion[], store: FhirStore, options: CallOptions | undefined) {
  const bundle: Bundle = {
    resourceType: 'Bundle',
    type: 'batch',
    entry: versions.map(({ type, id, version }) => ({
      request: { method: 'GET', url: version === undefined ? `${type}/${id}` : `${type}/${id}/_history/${version}` },
    })),
  }
  const { entry = [] } = await store.transaction(bundle, options)
  if (entry.length !== versions.length) throw broken('not one entry a version in the answer')
  return entry.map(resourceIn)
}

/** Only what the server says is not there is not there: what it does not give now is no reason to tell nobody. */
function resourceIn(entry: BundleEntry): Resource | undefined {
  const fault = faultOfEntry(entry)
  if (fault?.kind === 'missing') return undefined
  if (fault !== undefined) throw fault
  if (entry.resource === undefined) throw broken('an entry without resource in the answer')
  return entry.resource
}

async function searchPart(
  { type, query }: Criteria,
  resources: readonly Resource[],
  store: FhirStore,
  options: CallOptions | undefined,
): Promise<readonly Resource[]> {
  const parameters = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) parameters.set(name, [...(parameters.get(name) ?? []), value])
  const ids = resources.flatMap(({ id }) => id ?? []).join(',')
  const asked = { ...Object.fromEntries(parameters), _id: ids, _count: String(atOnceMax) }
  const bundle = await store.searchBundle(type, asked, options)
  checkUnderstood(parameters.keys(), bundle)
  // Servers may have smaller pages than they are asked for.
  return hasMore(bundle) ? store.searchAll(type, asked, options) : matchesOf(bundle)
}

/** A server may leave out what it does not know and find far too much; its self link says what it went by. */
function checkUnderstood(names: Iterable<string>, { link }: Bundle): void {
  const self = link?.find(({ relation }) => relation === 'self')?.url
  if (self === undefined) return
  const understood = new URLSearchParams(self.slice(self.indexOf('?') + 1))
  for (const name of names) {
    if (!understood.has(name)) throw incorrect(`The FHIR server does not know the search parameter ${name}.`)
  }
}

function parts<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / atOnceMax)
  return Array.from({ length: count }, (_, index) => items.slice(index * atOnceMax, (index + 1) * atOnceMax))
}
