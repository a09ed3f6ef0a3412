import type { CallOptions } from '../call-options.ts'

/** Which Organization a sender is: the facility registry, as the bridge needs it. */
export interface FacilityRegistry {
  /** The facilities of these codes (MSH-4); a code that nobody has is not in the answer. */
  find(codes: readonly string[], call?: CallOptions): Promise<ReadonlyMap<string, Facility>>
  /** What would be answered without asking anybody. */
  remembered?(code: string): Facility | undefined
}

/** What becomes of a sender that nobody has registered. */
export interface RegistrationOptions {
  /** Demo mode: an unknown sender is registered, so that anyone's sample message goes through. */
  readonly registersOnFirstSight: boolean
  /**
   * Called for a facility that was registered on first sight: it needs a domain consent policy before it can write. At
   * least once a process, so it must do nothing when there is one.
   */
  readonly onRegistered?: (facility: Facility) => Promise<void>
}

export interface Facility {
  readonly code: string
  /** `Organization/…` in the store. */
  readonly organization: string
  readonly name: string
  /** `Africa/Dakar`, for times that the facility sends without an offset. */
  readonly timeZone?: string
  /** Identifier systems by the namespace that this facility writes (HD.1). */
  readonly namespaces: ReadonlyMap<string, string>
}
