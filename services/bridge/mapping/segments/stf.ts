import type { ContactPoint, Identifier } from '../../../../packages/fhir/r4.ts'
import { timestampOf, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { by, coding, v2System } from '../code-map.ts'
import { compact } from '../compact.ts'
import { cxOf } from '../dt/cx.ts'
import { systemOf } from '../dt/hd.ts'
import { date } from '../dt/ts.ts'
import { xad } from '../dt/xad.ts'
import { xpn } from '../dt/xpn.ts'
import { xtnAs } from '../dt/xtn.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { administrativeSex } from '../v/0001-administrative-sex.ts'
import { activeFlag } from '../v/0183-active-flag.ts'

/** A number without authority and kind is of the sender's own list of people, as that of a doctor who is only mentioned (XCN). */
const ownKind = 'practitioner'

/** STF to Practitioner. What the person does (4, 8, 9, 12, 13) becomes roles: `families/mfn/roles.ts`. */
export const stfToPractitioner: SegmentMap = {
  segment: 'STF',
  resource: 'Practitioner',
  rows: [
    row(2, 'Staff Identifier List', 'identifier[]', cxOf(ownKind)),
    row(1, 'Primary Key Value - STF', 'identifier[]', primaryKey),
    row(3, 'Staff Name', 'name[]', xpn),
    row(5, 'Administrative Sex', 'gender', by(administrativeSex)),
    dateRow(6, 'Date/Time of Birth', 'birthDate', date),
    row(7, 'Active/Inactive Flag', 'active', by(activeFlag)),
    row(10, 'Phone', 'telecom[]', xtnAs('work')),
    row(11, 'Office/Home Address/Birthplace', 'address[]', xad),
    row(15, 'E-mail Address', 'telecom[]', email),
    row(22, "Driver's License Number - Staff", 'identifier[]', drivingLicence),
  ],
}

/** STF-1 and MFE-4: the sender's own key. */
export function primaryKey(part: Part, { draft }: At): Identifier | undefined {
  const value = part.text(1)?.trim()
  if (value === undefined || value === '') return undefined
  return { system: systemOf(undefined, ownKind, draft.context), value }
}

function email(part: Part): ContactPoint | undefined {
  const value = part.text(1)?.trim()
  return value === undefined || value === '' ? undefined : { system: 'email', value, use: 'work' }
}

/** DLN: number, issuer, and until when. */
function drivingLicence(part: Part, { draft }: At): Identifier | undefined {
  const value = part.text(1)?.trim()
  if (value === undefined || value === '') return undefined
  const end = timestampOf(part.text(3))?.date
  return compact<Identifier>({
    type: { coding: [coding(v2System('0203'), 'DL')] },
    system: systemOf(undefined, 'DL', draft.context),
    value,
    period: end === undefined ? undefined : { end },
  })
}
