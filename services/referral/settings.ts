import type { Priority } from './referral.ts'
import type { PartyRules } from './party-rules.ts'

export interface ReferralSettings {
  readonly partyRules: PartyRules
  /** How long the receiving facility has to accept, by priority. */
  readonly acceptWithinSeconds: Readonly<Record<Priority, number>>
}

export const acceptBy = (priority: Priority, now: Date, settings: ReferralSettings): Date =>
  new Date(now.getTime() + settings.acceptWithinSeconds[priority] * 1_000)
