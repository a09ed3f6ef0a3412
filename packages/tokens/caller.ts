/** The roles of the platform, as the `roles` claim names them. */
export const roles = ['CLINICIAN', 'ADMIN', 'SYSTEM', 'PATIENT'] as const
export type Role = (typeof roles)[number]

/** Who calls, as a verified access token says. */
export interface Caller {
  readonly subject: string
  readonly clientId: string
  readonly roles: ReadonlySet<Role>
  /** The scope claim as it stands in the token; `packages/smart` reads it. */
  readonly scope: string
  readonly organisation: string | undefined
  readonly patient: string | undefined
  readonly encounter: string | undefined
  readonly fhirUser: string | undefined
  readonly tokenId: string
  /** The grant the token came from; revoking the grant revokes the token. */
  readonly grantId: string | undefined
  readonly expiresAt: Date
}
