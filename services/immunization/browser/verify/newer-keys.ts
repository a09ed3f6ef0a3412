// A page that stays open for weeks, or was kept, knows the keys of its day.
import type { PublicKey, TrustedKeys, Verdict } from './parts.ts'
import { verdictOf } from './verdict.ts'

/** The keys as they are published now; undefined where they cannot be had. */
export type FetchKeys = () => Promise<readonly PublicKey[] | undefined>

export interface KnownKeys {
  readonly trusted: TrustedKeys
  /** When they were asked for last, also in vain. */
  readonly askedAt: Date
}

/** As long as other readers may keep the key set (its route says so). */
const freshMs = 300_000

/**
 * Judges, and where a certificate has a key that this page does not know judges once more by the keys of today; so too where
 * it has not asked for them for a while: a key that was stolen is withdrawn, and what it signs is worth nothing any more. The
 * keys by which it was judged go on to the next.
 */
export async function verdictByNewerKeys(
  text: string,
  known: KnownKeys,
  now: Date,
  fetchKeys: FetchKeys,
): Promise<{ readonly verdict: Verdict; readonly known: KnownKeys }> {
  const { trusted } = known
  const verdict = await verdictOf(text, trusted, now)
  const isUnknown = !verdict.isValid && verdict.why === 'unknown-key'
  // Either way: the clock of a telephone is set now and then.
  const isFresh = Math.abs(now.getTime() - known.askedAt.getTime()) < freshMs
  if (verdict.isValid ? isFresh : !isUnknown) return { verdict, known }
  const keys = await fetchKeys()
  if (keys !== undefined) {
    const newer = { ...trusted, keys }
    return { verdict: await verdictOf(text, newer, now), known: { trusted: newer, askedAt: now } }
  }
  // Not for each of a queue anew, where the network leads nowhere.
  const asked = { trusted, askedAt: now }
  return { verdict: isUnknown ? { isValid: false, why: 'unknown-key-or-old-page' } : verdict, known: asked }
}
