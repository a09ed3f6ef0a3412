import type { Part } from '../part.ts'
import { present } from './present.ts'
import { readRange, readTimestamp, type Timestamp } from './time.ts'

/** XAD: an address. */
export interface Address {
  /** Street (with its name and number apart where they were sent so) and further lines. */
  readonly lines?: readonly string[] | undefined
  readonly streetName?: string | undefined
  readonly houseNumber?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly postalCode?: string | undefined
  readonly country?: string | undefined
  /** HL7 table 0190: H home, B business, M mailing, BR birth … */
  readonly type?: string | undefined
  readonly district?: string | undefined
  readonly censusTract?: string | undefined
  readonly start?: Timestamp | undefined
  readonly end?: Timestamp | undefined
}

/** XTN: a telephone number, an e-mail address, or another way to reach someone. */
export interface Telecom {
  /** The number as one text, however it was sent. */
  readonly value?: string | undefined
  /** HL7 table 0201: PRN home, WPN work … */
  readonly use?: string | undefined
  /** HL7 table 0202: PH, FX, CP, Internet … */
  readonly equipment?: string | undefined
  readonly email?: string | undefined
  readonly countryCode?: string | undefined
  readonly areaCode?: string | undefined
  readonly localNumber?: string | undefined
  readonly extension?: string | undefined
  readonly anyText?: string | undefined
  readonly preference?: number | undefined
  readonly start?: Timestamp | undefined
  readonly end?: Timestamp | undefined
}

export function readXad(part: Part | undefined): Address | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const validity = readRange(part.part(12))
  const street = part.part(1)
  const lines = [street?.text(1), part.text(2), part.text(19)].filter((line) => line !== undefined)
  return present<Address>({
    lines: lines.length === 0 ? undefined : lines,
    streetName: street?.text(2),
    houseNumber: street?.text(3),
    city: part.text(3),
    state: part.text(4),
    postalCode: part.text(5),
    country: part.text(6),
    type: part.text(7),
    district: part.text(9),
    censusTract: part.text(10),
    start: readTimestamp(part.part(13)) ?? validity?.start,
    end: readTimestamp(part.part(14)) ?? validity?.end,
  })
}

export function readXtn(part: Part | undefined): Telecom | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const preference = part.text(18)
  return present<Telecom>({
    value: numberOf(part),
    use: part.text(2),
    equipment: part.text(3),
    email: part.text(4),
    countryCode: part.text(5),
    areaCode: part.text(6),
    localNumber: part.text(7),
    extension: part.text(8),
    anyText: part.text(9),
    preference: preference !== undefined && /^\d{1,3}$/.test(preference) ? Number(preference) : undefined,
    start: readTimestamp(part.part(13)),
    end: readTimestamp(part.part(14)),
  })
}

/** XTN.12 says it best, then the parts, then the old first component, then an e-mail address. */
function numberOf(part: Part): string | undefined {
  const local = part.text(7)
  if (part.text(12) !== undefined) return part.text(12)
  if (local === undefined) return part.text(1) ?? part.text(4)
  const country = part.text(5)
  const extension = part.text(8)
  const pieces = [country === undefined ? undefined : `+${country.replace(/^\+/, '')}`, part.text(6), local]
  return [...pieces, extension === undefined ? undefined : `x${extension}`]
    .filter((piece) => piece !== undefined)
    .join(' ')
}
