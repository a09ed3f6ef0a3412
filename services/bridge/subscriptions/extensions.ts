/** What R4's Subscription has no element for. */
export const subscriptionExtensions = {
  /** It came with the bridge. */
  seeded: 'urn:corridor:subscription:seeded',
  /** The facility code (MSH-4) of the receiver: what it sent itself is not sent back. */
  receivingFacility: 'urn:corridor:subscription:receiving-facility',
  /** MSH-5 of messages to it, and its own MSH-3: what other systems of its facility have sent goes to it. */
  receivingApplication: 'urn:corridor:subscription:receiving-application',
} as const
