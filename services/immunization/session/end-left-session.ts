import { digestOf } from '../../../packages/sign-in/sealed.ts'
import { sessionOf } from '../../../packages/sign-in/session.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { takeLeftSession } from '../store/sessions.ts'
import { giveTokensBack, type GiveBackDeps } from './give-tokens-back.ts'

/**
 * Of a session that was idle for too long, or is past its end: it is over, and what it was granted with it. The browser
 * loses the cookie that unseals its tokens, so later nobody could give them back.
 */
export async function endLeftSession(
  secret: string,
  deps: GiveBackDeps & Pick<ImmunizationDeps, 'database' | 'clock'>,
): Promise<void> {
  const left = await takeLeftSession(digestOf(secret), deps.clock.now(), deps.database)
  if (left !== undefined) await giveTokensBack(sessionOf(left, secret), deps)
}
