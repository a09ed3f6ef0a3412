import type { Part } from '../part.ts'
import { present } from './present.ts'
import { readTimestamp, type Timestamp } from './time.ts'

/** HD: who assigns an identifier. */
export interface Authority {
  readonly namespace?: string | undefined
  readonly universalId?: string | undefined
  /** ISO, UUID, DNS, URI … */
  readonly universalIdType?: string | undefined
}

/** CX: an identifier with its authority. */
export interface Identifier {
  readonly value?: string | undefined
  readonly checkDigit?: string | undefined
  readonly checkDigitScheme?: string | undefined
  readonly authority?: Authority | undefined
  /** HL7 table 0203: MR, SS, DL … */
  readonly type?: string | undefined
  readonly facility?: Authority | undefined
  readonly effective?: Timestamp | undefined
  readonly expires?: Timestamp | undefined
}

/** EI: an entity's identifier. */
export interface EntityIdentifier extends Authority {
  readonly value?: string | undefined
}

/** EIP: the placer's and the filler's identifier of one thing. */
export interface IdentifierPair {
  readonly placer?: EntityIdentifier | undefined
  readonly filler?: EntityIdentifier | undefined
}

export function readHd(part: Part | undefined): Authority | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<Authority>({
    namespace: part.text(1),
    universalId: part.text(2),
    universalIdType: part.text(3),
  })
}

/** The authority as a URI: `urn:oid:`, `urn:uuid:`, `urn:dns:` or the URI itself; undefined for a namespace alone. */
export function authorityUri(authority: Authority | undefined): string | undefined {
  const id = authority?.universalId
  if (id === undefined) return undefined
  switch (authority?.universalIdType?.toUpperCase() ?? '') {
    case 'ISO':
    case 'OID':
      return `urn:oid:${id.replace(/^urn:oid:/i, '')}`
    case 'UUID':
    case 'GUID':
      return `urn:uuid:${id.toLowerCase()}`
    case 'DNS':
      return `urn:dns:${id}`
    case 'URI':
    case 'URL':
      return id
    default:
      // A longer one is nobody's, and the pattern would have to take it whole.
      if (id.length <= 1_000 && /^[0-2](\.(0|[1-9]\d*)){2,}$/.test(id)) return `urn:oid:${id}`
      return /^(https?:\/\/|urn:)/i.test(id) ? id : undefined
  }
}

export function readCx(part: Part | undefined): Identifier | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<Identifier>({
    value: part.text(1),
    checkDigit: part.text(2),
    checkDigitScheme: part.text(3),
    authority: readHd(part.part(4)),
    type: part.text(5),
    facility: readHd(part.part(6)),
    effective: readTimestamp(part.part(7)),
    expires: readTimestamp(part.part(8)),
  })
}

export function readEi(part: Part | undefined): EntityIdentifier | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<EntityIdentifier>({
    value: part.text(1),
    namespace: part.text(2),
    universalId: part.text(3),
    universalIdType: part.text(4),
  })
}

export function readEip(part: Part | undefined): IdentifierPair | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<IdentifierPair>({ placer: readEi(part.part(1)), filler: readEi(part.part(2)) })
}
