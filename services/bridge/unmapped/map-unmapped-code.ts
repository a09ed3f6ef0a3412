import { conflict, incorrect, missing, type Fault } from '../../../packages/faults/fault.ts'
import { codeMapFor } from './code-map-resource.ts'
import { wrongFormOf } from './code-form.ts'
import type { AdminDeps } from '../routes/deps.ts'
import {
  claimCode,
  countUses,
  findUnmappedCode,
  giveBackClaim,
  markMapped,
  usesOf,
  type UnmappedCodeRow,
} from '../store/unmapped-codes.ts'

export interface CodeMeaning {
  readonly code: string
  readonly display?: string | undefined
  /** What it was mapped to and is no longer. Without it, only what nobody has mapped is mapped. */
  readonly replaces?: string | undefined
}

/** So many are run again before whoever asked has the answer; the others follow. */
const rerunAtOnceMax = 1_000
/** Longer than a write to the store and the orders for a thousand messages take. */
const claimMs = 120_000

export interface MappedCode {
  readonly item: UnmappedCodeRow
  /** How many messages were put to work again. */
  readonly rerun: number
  /** How many more are, one after the other. */
  readonly following: number
}

/**
 * Keeps what a code means, and runs the messages again that hold it. Whoever claims the code first writes; the item is
 * marked when everything else is done, so that one of which the half was done stays open, and is mapped once more.
 */
export async function mapUnmappedCode(
  id: string,
  meaning: CodeMeaning,
  by: string,
  { database, store, retries, terms, codeReruns, clock, ids }: AdminDeps,
): Promise<MappedCode> {
  const item = await findUnmappedCode(id, database)
  if (item === undefined) throw missing('There is no such item.')
  const wrong = wrongFormOf(meaning.code, item.target)
  if (wrong !== undefined) {
    throw incorrect('The code cannot be mapped to this.', { fields: [{ path: 'code', message: wrong }] })
  }
  const at = clock.now()
  const { code, display, replaces } = meaning
  const claim = { id, by: ids.uuid(), replaces, at, until: new Date(at.getTime() + claimMs) }
  if (!(await claimCode(claim, database))) throw await whyNot(id, meaning, database)
  try {
    const { criteria, resource } = codeMapFor(item, meaning)
    await store.updateMatching(resource, criteria)
    await terms.change()
    const first = await usesOf(item, { limit: rerunAtOnceMax }, database)
    const rerun = await retries.rerun(first, by)
    const after = first.length < rerunAtOnceMax ? undefined : first.at(-1)
    const isMine = await database.transaction(async (tx) => {
      const isMarked = await markMapped({ claim: claim.by, code, display, at, by }, tx)
      if (isMarked && after !== undefined) {
        await codeReruns.add({ codeId: id, mappedAt: at.toISOString(), after, by }, tx)
      }
      return isMarked
    })
    if (!isMine) throw await whyNot(id, meaning, database)
    const following = after === undefined ? 0 : await countUses(item, { after }, database)
    return { item: (await findUnmappedCode(id, database)) ?? item, rerun, following }
  } catch (thrown) {
    await giveBackClaim(claim.by, database)
    throw thrown
  }
}

async function whyNot(id: string, { replaces }: CodeMeaning, database: AdminDeps['database']): Promise<Fault> {
  const now = (await findUnmappedCode(id, database))?.mapped_code ?? null
  if (now === (replaces ?? null)) {
    return conflict('Someone else is mapping this code right now. Look again in a few minutes.', {
      code: 'BEING_MAPPED',
    })
  }
  const words =
    now === null
      ? 'This code is not mapped: there is nothing to replace.'
      : 'Somebody has mapped this code before. Look at it among the mapped ones; it can be changed there.'
  return conflict(words, { code: 'ALREADY_MAPPED' })
}
