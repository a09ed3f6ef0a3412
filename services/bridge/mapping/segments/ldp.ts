import type { LocationHoursOfOperation } from '../../../../packages/fhir/r4.ts'
import { readTime, type Part } from '../../../../packages/hl7/index.ts'
import { rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import { cweOf } from '../dt/cwe.ts'
import { dateTime } from '../dt/ts.ts'
import { xtnAs } from '../dt/xtn.ts'
import { ownExtensionRow } from '../extensions.ts'
import { row, type SegmentMap } from '../segment-map.ts'
import { activeFlag } from '../v/0183-active-flag.ts'
import { weekday } from '../v/0267-days.ts'

/** LDP to Location: what the department that runs a place says of it. */
export const ldpToLocation: SegmentMap = {
  segment: 'LDP',
  resource: 'Location',
  rows: [
    row(2, 'Location Department', 'type[]', cweOf('0264')),
    row(3, 'Location Service', 'type[]', cweOf('0069')),
    row(4, 'Specialty Type', 'type[]', cweOf('0265')),
    row(6, 'Active/Inactive Flag', 'status', (part) => {
      const active = rowOf(activeFlag, part.text(1) ?? '')
      return active === undefined ? undefined : active ? 'active' : 'inactive'
    }),
    ownExtensionRow(7, 'Activation Date - LDP', 'location-activation', 'valueDateTime', dateTime),
    ownExtensionRow(8, 'Inactivation Date - LDP', 'location-inactivation', 'valueDateTime', dateTime),
    row(10, 'Visiting Hours', 'hoursOfOperation[]', hours),
    row(11, 'Contact Phone', 'telecom[]', xtnAs('work')),
  ],
}

/** VH: first and last day, first and last hour. */
function hours(part: Part): LocationHoursOfOperation | undefined {
  const week = Object.values(weekday.rows)
  const first = rowOf(weekday, part.text(1) ?? '')
  const last = rowOf(weekday, part.text(2) ?? '') ?? first
  const [from, to] = [week.indexOf(first ?? 'mon'), week.indexOf(last ?? 'mon')]
  // From Saturday to Monday goes over the end of the week.
  const days = from <= to ? week.slice(from, to + 1) : [...week.slice(from), ...week.slice(0, to + 1)]
  return compact<LocationHoursOfOperation>({
    daysOfWeek: first === undefined ? undefined : days,
    openingTime: readTime(part.part(3)),
    closingTime: readTime(part.part(4)),
  })
}
