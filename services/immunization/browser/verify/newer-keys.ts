// A page that stays open for weeks, or was kept, knows the keys of its day.
import type { PublicKey, TrustedKeys, Verdict } from './parts.ts'
import { verdictOf } from './verdict.ts'

/** The keys as they are published now; undefined where they cannot be had. */
export type FetchKeys = () => Promise<readonly PublicKey[] | undefined>

/**
 * Judges, and where a certificate has a key that this page does not know judges once more by the keys of today. The keys by
 * which it was judged go on to the next.
 */
export async function verdictByNewerKeys(
  text: string,
  trusted: TrustedKeys,
  now: Date,
  fetchKeys: FetchKeys,
): Promise<{ readonly verdict: Verdict; readonly trusted: TrustedKeys }> {
  const verdict = await verdictOf(text, trusted, now)
  if (verdict.isValid || verdict.why !== 'unknown-key') return { verdict, trusted }
  const keys = await fetchKeys()
  if (keys === undefined) return { verdict: { isValid: false, why: 'unknown-key-or-old-page' }, trusted }
  const newer = { ...trusted, keys }
  return { verdict: await verdictOf(text, newer, now), trusted: newer }
}
