/** An instant as HL7 writes it, to the second, in UTC: `20260304050607+0000`. */
export function formatTimestamp(instant: Date): string {
  const iso = instant.toISOString()
  const [day, time] = [iso.slice(0, -14), iso.slice(-13, -5)]
  return `${day.replaceAll('-', '')}${time.replaceAll(':', '')}+0000`
}
