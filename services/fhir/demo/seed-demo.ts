import { replacement } from '../interactions/changes.ts'
import type { InteractionDeps } from '../interactions/deps.ts'
import { fullAccess } from '../scopes/access.ts'
import { resourceKey } from '../store/keys.ts'
import { readCurrent } from '../store/read.ts'
import { accepted } from '../store/store.ts'
import { demoResources } from './demo-resources.ts'

const batchSize = 100

/**
 * Writes what of the demo is not there yet, a hundred resources a transaction; what somebody has changed since stays as
 * it is. Several copies may do so at once. Gives how many it wrote.
 */
export async function seedDemo(
  deps: InteractionDeps,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<number> {
  const resources = demoResources(deps.clock.now())
  const keyOf = ({ resourceType, id }: { resourceType: string; id: string }) => resourceKey(resourceType, id)
  const there = await readCurrent(resources.map(keyOf), deps.database)
  const absent = resources.filter((resource) => !there.has(keyOf(resource)))
  for (let start = 0; start < absent.length; start += batchSize) {
    const changes = absent
      .slice(start, start + batchSize)
      .map((resource) =>
        replacement({ type: resource.resourceType, id: resource.id, resource, access: fullAccess }, deps),
      )
    await deps.database.transaction(async (tx) => {
      for (const outcome of await deps.store.writeTogether(changes, tx)) accepted(outcome)
    })
    onProgress(start + changes.length, absent.length)
  }
  return absent.length
}
