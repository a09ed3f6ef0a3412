/** An instant as HL7 writes it, to the second, in UTC: `20260304050607+0000`. */
export function formatTimestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replaceAll(/\D/g, '')}+0000`
}
