/** Something that happened which somebody elsewhere should look at. It names things by id; it never tells their content. */
export interface Notification {
  /** Stays the same over all attempts, so that a receiver can tell a repetition. */
  readonly id: string
  /** `referral.sent` */
  readonly type: string
  /** An ISO instant. */
  readonly at: string
  /** Ids and statuses for a program. No name, no note, no code of a diagnosis. */
  readonly facts: Readonly<Record<string, string | number | null>>
  /** One sentence for a person, fit for a lock screen. */
  readonly text: string
  readonly subject: string
}

export const channels = ['webhook', 'sms', 'email'] as const
export type Channel = (typeof channels)[number]

/** How somebody can be reached. */
export interface Recipient {
  readonly webhook: { readonly url: string; readonly secret: string } | undefined
  readonly phone: string | undefined
  readonly email: string | undefined
}

/** What a service needs to tell people and programs elsewhere. */
export interface Notifier {
  /** The channels on which this recipient can be reached at all. */
  channelsOf(recipient: Recipient): readonly Channel[]
  /** Resolves when the other end has taken it; throws a fault of kind unavailable when it should be tried again. */
  notify(
    channel: Channel,
    recipient: Recipient,
    notification: Notification,
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>
}
