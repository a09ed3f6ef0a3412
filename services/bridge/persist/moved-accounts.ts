import type { Account, Reference } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { ifAble } from './if-able.ts'
import { brings } from './of-visit.ts'
import type { Stored, StoredResource } from './stored.ts'

/**
 * An account that moves to another patient (A44) takes along the visits for which it was opened: whoever registered it for the
 * wrong patient admitted the wrong patient, too. What was found in them goes with them (`moves.ts`).
 */
export async function withMovedAccounts(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const moves = writes.flatMap((write) => movesOf(write, stored))
  if (moves.length === 0) return { writes, stored }
  const named = new Set([...stored.values()].map(({ resourceType, id }) => `${resourceType}/${id}`))
  const found = await Promise.all(moves.map((move) => visitsOf(move, signal, deps)))
  const untold = found.flat().filter(({ resource }) => !named.has(`Encounter/${resource.id}`))
  return withBrought(writes, stored, untold)
}

interface MovedAccount {
  readonly write: Write
  readonly account: StoredResource
  readonly from: string
  readonly to: Reference
}

/** Whoever had it has it no longer. That an account is of one more person moves nothing. */
function movesOf(write: Write, stored: Stored): MovedAccount[] {
  const [account, { resource }] = [stored.get(write.fullUrl), write]
  if (resource.resourceType !== 'Account' || account?.resourceType !== 'Account') return []
  const [to] = resource.subject ?? []
  if (to?.reference === undefined || !write.removes.some(({ element }) => element === 'subject')) return []
  const there = stored.get(to.reference)
  const toStored = there === undefined ? to.reference : `Patient/${there.id}`
  // Of an account of several the message does not say whose visits are meant.
  const [from, ...others] = subjectsOf(account).filter((one) => one !== toStored)
  return from === undefined || others.length > 0 ? [] : [{ write, account, from, to }]
}

const subjectsOf = ({ subject = [] }: Account): string[] =>
  subject.flatMap(({ reference }) => (reference?.startsWith('Patient/') === true ? [reference] : []))

/** More than anybody has of one account. */
const visitsMax = 1000

async function visitsOf(
  { write, account, from, to }: MovedAccount,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Brought[]> {
  const criteria = { account: `Account/${account.id}`, patient: from, _count: String(visitsMax) }
  const search = () => deps.store.searchAll<StoredResource>('Encounter', criteria, { signal })
  // Where the server cannot search so, the account goes alone.
  const visits = await ifAble(search, signal, deps)
  return visits.map((visit) => {
    const { resource, write: brought } = brings(visit, { subject: to }, write)
    // Whose they are is said by this message: an older one that comes late does not take them back.
    return { resource, write: { ...brought, isTold: true } }
  })
}
