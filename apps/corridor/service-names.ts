/**
 * In the order in which they start; each one only needs those before it. They stop in reverse. Apart from the services
 * themselves, so that a command that runs none of them need not load them: they are most of Corridor.
 */
export const serviceNames = ['auth', 'fhir', 'consent', 'referral', 'bridge', 'immunization'] as const

export type ServiceName = (typeof serviceNames)[number]
