import type { Address } from '../../../../packages/fhir/r4.ts'
import { readXad, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { mapCode } from '../code-map.ts'
import { compact } from '../compact.ts'
import { addressType } from '../v/0190-address-type.ts'
import { periodOf } from './ts.ts'

/** XAD: an address. The place of birth (BDL, N, BR …) is a kind of address that FHIR keeps elsewhere. */
export function xad(part: Part | undefined, place: At): Address | undefined {
  const read = readXad(part)
  if (read === undefined) return undefined
  const isBirthPlace = birthTypes.has(read.type?.trim().toUpperCase() ?? '')
  const { use, type } = (isBirthPlace ? undefined : mapCode(addressType, read.type, place)) ?? {}
  const parts = compact<Address>({
    line: read.lines === undefined ? undefined : [...read.lines],
    city: read.city,
    district: read.district,
    state: read.state,
    postalCode: read.postalCode,
    country: read.country,
  })
  if (parts === undefined) return undefined
  const extension = [
    ...(read.censusTract === undefined ? [] : [{ url: censusTract, valueString: read.censusTract }]),
    ...(isBirthPlace ? [{ url: place.draft.extensionUrl('address-type'), valueCode: read.type?.trim() ?? '' }] : []),
  ]
  return compact<Address>({ extension, use, type, ...parts, period: periodOf(read.start, read.end, place) })
}

const censusTract = 'http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-censusTract'
const birthTypes = new Set(['BDL', 'BR', 'BIR'])
