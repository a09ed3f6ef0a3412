import type { Zone } from '../../../packages/hl7/index.ts'
import type { Key } from './mapped.ts'
import type { Terms } from './terms.ts'

/** Everything that the mapping knows beside the message. It reads no clock, no table and no network. */
export interface MappingContext {
  /** Of identifier systems, extensions and tags that are ours: `https://corridor.example`. No slash at the end. */
  readonly base: string
  readonly facility: Facility
  /** For times without offset: the facility's zone, else the offset of MSH-7, else the channel's, else the configured one. */
  readonly zone: Zone
  readonly settings: MappingSettings
  readonly terms: Terms
  /** The key under which the store first had what has several numbers, where it is not the message's: by `fullUrl`. */
  readonly knownAs?: ReadonlyMap<string, Key>
  /** When the message first came. No sender has said anything later than that, whatever its clock shows. */
  readonly receivedAt?: Date
}

/** The sending facility, as the registry knows it. */
export interface Facility {
  readonly code: string
  /** `Organization/…` in the store. */
  readonly organization: string
  /** Identifier systems by the namespace that this facility writes (HD.1): its part of the NamingSystem table. */
  readonly namespaces: ReadonlyMap<string, string>
}

/** What an operator may set for a channel. */
export interface MappingSettings {
  /** `US`: race, ethnicity and SSN as US Core has them. */
  readonly realm?: 'US'
  /** The field that holds the visit number where PV1-19 is empty. */
  readonly visitNumber?: 'PID-18'
  /** The system of the national id, when patients are found by it first. */
  readonly nationalIdSystem?: string
  /** Leave out the Provenance of each message. */
  readonly withoutProvenance?: boolean
}
