import type { Clock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { Resource } from '../../../ports/fhir-store/resources.ts'
import { notifiableLabs } from './notifiable-labs.ts'
import { seededResource, seededSubscriptions, type SeedOptions } from './seeded-subscriptions.ts'
import type { SubscriptionBook } from './subscription-book.ts'
import { rememberSeeded, seededIds } from './store/seeded.ts'

interface SeedDeps {
  readonly fhirStore: FhirStore
  readonly database: Database
  readonly clock: Clock
}

/** Writes what is not there and never was: what an administrator changed or removed stays so. */
export async function seedSubscriptions(options: SeedOptions, deps: SeedDeps, call?: CallOptions): Promise<void> {
  const done = await seededIds(deps.database)
  const wanted: (Resource & { readonly id: string })[] = [
    notifiableLabs(options.fhirBase),
    ...seededSubscriptions.map((one) => seededResource(one, options)),
  ]
  for (const resource of wanted.filter(({ id }) => !done.has(id))) {
    const there = await deps.fhirStore.read(resource.resourceType, resource.id, call)
    if (there === undefined) await deps.fhirStore.update(resource, call)
    // Afterwards: a start that dies in between writes it once more, and never leaves it out.
    await rememberSeeded(resource.id, deps.clock.now(), deps.database)
  }
}

const seedRetryMs = 5_000

/** The store may not be there yet when the bridge starts; a message that comes before is evaluated when it is. */
export async function seedUntilDone(
  options: SeedOptions,
  book: Pick<SubscriptionBook, 'forget'>,
  deps: SeedDeps & { readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await seedSubscriptions(options, deps, { signal })
      return book.forget()
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      if (!signal.aborted) deps.log.warn('subscriptions not seeded yet', { faultKind: kind, error: logged ?? message })
      await pause(deps.clock, seedRetryMs, signal)
    }
  }
}
