/** What R4's Subscription has no element for. */
export const subscriptionExtensions = {
  /** It came with the bridge. */
  seeded: 'urn:corridor:subscription:seeded',
  /** MSH-6 of messages to the receiver, and its facility code (MSH-4): what this facility has sent is not sent back. */
  receivingFacility: 'urn:corridor:subscription:receiving-facility',
  /** MSH-5 of messages to it. */
  receivingApplication: 'urn:corridor:subscription:receiving-application',
  /** As what the receiver itself sends (MSH-3), once for each: what other systems of its facility have sent goes to it. */
  ownApplication: 'urn:corridor:subscription:own-application',
} as const
