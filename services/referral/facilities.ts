import type { Recipient } from '../../ports/notification/notification.ts'

/** A facility that takes part in referrals, as the configuration names it. */
export interface Facility extends Recipient {
  /** The client id by which referrals name it as their receiver. */
  readonly clientId: string
  readonly organisation: string | undefined
}

/** Who is meant: by client id, and by organisation where it is not the one of that client. */
export interface FacilityName {
  readonly clientId: string
  readonly organisation: string | null
}

export interface Facilities {
  /** Whether an organisation and a client id are the same facility. */
  isSame(organisation: string, clientId: string): boolean
  /** The organisation that a client id is, where nobody says otherwise the one of the same id. */
  organisationOf(clientId: string): string
  /** Every client id that is this organisation. */
  clientIdsOf(organisation: string): readonly string[]
  find(name: FacilityName): Facility | undefined
  byClientId(clientId: string): Facility | undefined
}

/**
 * A facility's client id and its organisation belong together when the configuration says so, or when they have the
 * same id (`lakeside-clinic` and `Organization/lakeside-clinic`) and the configuration says nothing else.
 */
export function facilityDirectory(declared: readonly Facility[]): Facilities {
  const byClientId = new Map(declared.map((facility) => [facility.clientId, facility]))
  const organisationOf = (clientId: string) => byClientId.get(clientId)?.organisation ?? `Organization/${clientId}`
  return {
    organisationOf,
    isSame: (organisation, clientId) => organisationOf(clientId) === organisation,
    clientIdsOf: (organisation) =>
      [...new Set([...byClientId.keys(), organisation.replace(/^Organization\//, '')])].filter(
        (clientId) => organisationOf(clientId) === organisation,
      ),
    byClientId: (clientId) => byClientId.get(clientId),
    find: ({ clientId, organisation }) => {
      const meant = organisation ?? organisationOf(clientId)
      return byClientId.get(clientId) ?? declared.find((facility) => organisationOf(facility.clientId) === meant)
    },
  }
}
