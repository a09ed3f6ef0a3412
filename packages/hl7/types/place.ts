import type { Part } from '../part.ts'
import { readEi, readHd, type Authority, type EntityIdentifier } from './identifiers.ts'
import { readCnn, type PersonReference } from './names.ts'
import { present } from './present.ts'
import { readTimestamp, type Timestamp } from './time.ts'

/** PL: where a patient is, from the facility down to the bed. */
export interface PatientLocation {
  readonly pointOfCare?: string | undefined
  readonly room?: string | undefined
  readonly bed?: string | undefined
  readonly facility?: Authority | undefined
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly building?: string | undefined
  readonly floor?: string | undefined
  readonly description?: string | undefined
  readonly identifier?: EntityIdentifier | undefined
  readonly authority?: Authority | undefined
}

/** NDL: who did something, when, and where. */
export interface Performer {
  readonly person?: PersonReference | undefined
  readonly start?: Timestamp | undefined
  readonly end?: Timestamp | undefined
  readonly location?: PatientLocation | undefined
}

export function readPl(part: Part | undefined): PatientLocation | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<PatientLocation>({
    pointOfCare: part.text(1),
    room: part.text(2),
    bed: part.text(3),
    facility: readHd(part.part(4)),
    status: part.text(5),
    type: part.text(6),
    building: part.text(7),
    floor: part.text(8),
    description: part.text(9),
    identifier: readEi(part.part(10)),
    authority: readHd(part.part(11)),
  })
}

export function readNdl(part: Part | undefined): Performer | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<Performer>({
    person: readCnn(part.part(1)),
    start: readTimestamp(part.part(2)),
    end: readTimestamp(part.part(3)),
    location: present<PatientLocation>({
      pointOfCare: part.text(4),
      room: part.text(5),
      bed: part.text(6),
      facility: readHd(part.part(7)),
      status: part.text(8),
      type: part.text(9),
      building: part.text(10),
      floor: part.text(11),
      description: undefined,
      identifier: undefined,
      authority: undefined,
    }),
  })
}
