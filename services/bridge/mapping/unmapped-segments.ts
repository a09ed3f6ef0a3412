import type { Draft } from './draft.ts'

/** Segments that nothing here reads are kept in the raw message; nothing else is done with them, and it is said. */
export function noteUnmappedSegments(draft: Draft): void {
  for (const segment of draft.message.all) {
    if (readSegments.has(segment.name)) continue
    const text = segment.name.startsWith('Z')
      ? 'A segment of the sender’s own is kept in the raw message only.'
      : 'A segment that has no counterpart in FHIR here is kept in the raw message only.'
    draft.warn('kept-segment', draft.pathOf(segment), text)
  }
}

/** Those that some family reads, and those that speak of the message rather than of anybody's record. */
export const readSegments: ReadonlySet<string> = new Set(
  [
    'MSH EVN SFT UAC DSC PID PD1 NK1 MRG NTE PV1 PV2 ROL AL1 IAM DG1 PR1 IN1 NPU',
    'ORC OBR TQ1 OBX SPM TXA RXO RXE RXR RXC RXA',
    'SCH RGS AIS AIG AIL AIP',
    'MFI MFE STF PRA ORG AFF LAN EDU LOC LCH LRL LDP',
    'QPD RCP',
  ].flatMap((names) => names.split(' ')),
)
