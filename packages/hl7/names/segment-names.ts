/** A segment's title and its fields in order, as HL7 2.8 names them; names of earlier versions where it has none left. */
export interface SegmentNames {
  readonly title: string
  readonly fields: readonly string[]
}

/** `named('Event Type', 'Event Type Code|Recorded Date/Time')` */
export const named = (title: string, fields: string): SegmentNames => ({ title, fields: fields.split('|') })
