import { sideBySide } from '../../../packages/clock/side-by-side.ts'
import type { Bundle, BundleEntry, Resource } from '../../../packages/fhir/r4.ts'
import type { SoughtIdentifier } from '../fhir-store.ts'
import type { CallOptions } from '../../call-options.ts'
import { identifierToken, matchesPerIdentifierMax } from '../identifier-token.ts'
import { queryOf } from '../query-of.ts'
import { broken, expectBundle, matchesOf } from '../read-resource.ts'
import { faultOfEntry } from './fault-of-entry.ts'
import type { StoreCalls } from './store-calls.ts'

interface FindOptions {
  readonly canBatch: boolean
  readonly call: CallOptions | undefined
}

/** Servers limit what a bundle may hold; a hundred is below every limit that is known. */
const batchMax = 100
const searchesAtOnce = 8

/** Many searches in one batch; of a server that takes no batches, a few searches at a time. */
export async function findByIdentifiers(
  identifiers: readonly SoughtIdentifier[],
  calls: StoreCalls,
  { canBatch, call }: FindOptions,
): Promise<Resource[][]> {
  if (!canBatch) {
    return sideBySide(identifiers, searchesAtOnce, async (one) =>
      matchesOf(await calls.search(one.type, parametersOf(one), call)),
    )
  }
  const found: Resource[][] = []
  for (let start = 0; start < identifiers.length; start += batchMax) {
    found.push(...(await inBatch(identifiers.slice(start, start + batchMax), calls, call)))
  }
  return found
}

const parametersOf = (identifier: SoughtIdentifier) => ({
  identifier: identifierToken(identifier),
  _count: String(matchesPerIdentifierMax),
})

async function inBatch(identifiers: readonly SoughtIdentifier[], calls: StoreCalls, call: CallOptions | undefined) {
  const resource: Bundle = {
    resourceType: 'Bundle',
    type: 'batch',
    entry: identifiers.map((one) => ({
      request: { method: 'GET', url: `${one.type}?${queryOf(parametersOf(one))}` },
    })),
  }
  const answer = expectBundle((await calls.send('', { method: 'POST', resource }, call)).resource)
  const { entry = [] } = answer
  if (entry.length !== identifiers.length) throw broken('not one entry a search in the answer')
  return entry.map(matchesOfEntry)
}

function matchesOfEntry(entry: BundleEntry): Resource[] {
  const fault = faultOfEntry(entry)
  if (fault !== undefined) throw fault
  return matchesOf(expectBundle(entry.resource))
}
