import type { Priority } from './referral.ts'
import type { PartyRules } from './party-rules.ts'

export interface ReferralSettings {
  readonly partyRules: PartyRules
  /** Whether there is a FHIR server to write to; otherwise nothing is put into a queue that nobody empties. */
  readonly fhirProjection: boolean
  /** How long the receiving facility has to accept, by priority. */
  readonly acceptWithinSeconds: Readonly<Record<Priority, number>>
}

export const acceptBy = (priority: Priority, now: Date, settings: ReferralSettings): Date =>
  new Date(now.getTime() + settings.acceptWithinSeconds[priority] * 1_000)
