import type { Address, Extension } from '../../../../packages/fhir/r4.ts'
import { readXad, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { mapCode } from '../code-map.ts'
import { trimmed } from '../clean-text.ts'
import { compact } from '../compact.ts'
import { addressType } from '../v/0190-address-type.ts'
import { periodOf } from './ts.ts'

/** XAD: an address. The place of birth (BDL, N, BR …) is a kind of address that FHIR keeps elsewhere. */
export function xad(part: Part | undefined, place: At): Address | undefined {
  const read = readXad(part)
  if (read === undefined) return undefined
  const isBirthPlace = birthTypes.has(read.type?.trim().toUpperCase() ?? '')
  const { use, type } = (isBirthPlace ? undefined : mapCode(addressType, read.type, place)) ?? {}
  const lines = read.lines?.map((line) => line.trim()).filter((line) => line !== '')
  const [city, district, state] = [trimmed(read.city), trimmed(read.district), trimmed(read.state)]
  const [postalCode, country] = [trimmed(read.postalCode), trimmed(read.country)]
  const isPlace = [lines?.[0], city, district, state, postalCode, country].some((one) => one !== undefined)
  if (!isPlace) return undefined
  const extension: Extension[] = []
  if (read.censusTract !== undefined) extension.push({ url: censusTract, valueString: read.censusTract })
  if (isBirthPlace) {
    extension.push({ url: place.draft.extensionUrl('address-type'), valueCode: read.type?.trim() ?? '' })
  }
  return compact<Address>({
    extension,
    use,
    type,
    line: lines,
    city,
    district,
    state,
    postalCode,
    country,
    period: periodOf(read.start, read.end, place),
  })
}

const censusTract = 'http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-censusTract'
const birthTypes = new Set(['BDL', 'BR', 'BIR'])
