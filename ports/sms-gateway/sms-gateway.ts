/** A short message to a phone. It is read on a lock screen: no name, no value, no diagnosis. */
export interface ShortMessage {
  /** Stays the same over all attempts, so that a gateway can drop a repetition. */
  readonly id: string
  /** `+99900000006` */
  readonly to: string
  readonly text: string
}

/** What a service needs of whoever sends short messages. */
export interface SmsGateway {
  /** Resolves with what the gateway answered; `unavailable` when it should be tried again, any other fault when not. */
  send(message: ShortMessage, options?: { readonly signal?: AbortSignal }): Promise<string>
}
