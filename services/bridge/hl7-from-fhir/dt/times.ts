/** A FHIR date, dateTime or instant as HL7 writes it, with its precision and offset: `20260304101400+0400`. */
export function hl7Time(dateTime: string | undefined): string | undefined {
  const match = grammar.exec(dateTime ?? '')
  if (match === null) return undefined
  const [, date = '', time = '', fraction = '', zone = ''] = match
  const digits = `${date}${time}`.replaceAll(/\D/g, '')
  return `${digits}${fraction.slice(0, fractionMax)}${zone === 'Z' ? '+0000' : zone.replace(':', '')}`
}

/** The day alone. */
export const hl7Date = (dateTime: string | undefined): string | undefined => hl7Time(dateTime?.slice(0, 10))

/** HL7 takes four digits after the point. */
const fractionMax = 5
const grammar = /^(\d{4}(?:-\d{2}(?:-\d{2})?)?)(?:T(\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/
