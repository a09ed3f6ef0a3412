/** What a record is found by. Whatever cannot be read is kept all the same, without it. */
interface RecordKeys {
  readonly eventAt: string | null
  readonly eventId: string | null
  readonly eventType: string | null
  readonly action: string | null
  readonly outcome: string | null
  readonly sourceUser: string | null
  readonly patient: string | null
}

/** Looks into the XML of any sender, so by the names of its elements and attributes, wherever they stand. */
export function keysOfRecord(record: string): RecordKeys {
  const event = elementOf(record, 'EventIdentification')
  const at = attributeOf(event, 'EventDateTime')
  const patient = [...record.matchAll(/<ParticipantObjectIdentification\b[^<>]*>/g)]
    .map(([tag]) => tag)
    .find((tag) => attributeOf(tag, 'ParticipantObjectTypeCode') === '1')
  return {
    eventAt: at !== null && !Number.isNaN(Date.parse(at)) ? new Date(at).toISOString() : null,
    eventId: attributeOf(elementOf(record, 'EventID'), 'csd-code'),
    eventType: attributeOf(elementOf(record, 'EventTypeCode'), 'csd-code'),
    action: attributeOf(event, 'EventActionCode'),
    outcome: attributeOf(event, 'EventOutcomeIndicator'),
    sourceUser: attributeOf(elementOf(record, 'ActiveParticipant'), 'UserID'),
    patient: attributeOf(patient ?? null, 'ParticipantObjectID')?.split('^')[0] ?? null,
  }
}

const elementOf = (record: string, name: string): string | null =>
  new RegExp(`<${name}\\b[^<>]{0,4000}>`).exec(record)?.[0] ?? null

function attributeOf(tag: string | null, name: string): string | null {
  const value = tag === null ? undefined : new RegExp(`\\s${name}="([^"]{0,2000})"`).exec(tag)?.[1]
  return value === undefined
    ? null
    : value.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, word: string) => signs[word] ?? '')
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
