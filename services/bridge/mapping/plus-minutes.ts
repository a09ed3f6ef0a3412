/** A FHIR dateTime some minutes later, in the same offset; undefined for one without a time of day. */
export function plusMinutes(dateTime: string, minutes: number): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})$/.exec(dateTime)
  const local = match === null ? Number.NaN : Date.parse(`${match[1]}Z`) + minutes * 60_000
  // NaN, and years that FHIR cannot write, fail this comparison.
  if (match === null || !(new Date(local).getUTCFullYear() <= 9999)) return undefined
  return `${new Date(local).toISOString().slice(0, 19)}${match[2]}`
}
