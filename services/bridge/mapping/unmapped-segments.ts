import type { Draft } from './draft.ts'

/** Segments that this family does not read are kept in the raw message; nothing else is done with them, and it is said. */
export function noteUnmappedSegments(type: string, draft: Draft): void {
  const read = segmentsRead[type]
  for (const segment of draft.message.all) {
    if (ofAnyMessage.has(segment.name) || read?.has(segment.name) === true) continue
    draft.warn('kept-segment', draft.pathOf(segment), reasonOf(segment.name, type))
  }
}

function reasonOf(name: string, type: string): string {
  if (name.startsWith('Z')) return 'A segment of the sender’s own is kept in the raw message only.'
  return isReadElsewhere(name)
    ? `A segment that is not read in ${type} is kept in the raw message only.`
    : 'A segment that has no counterpart in FHIR here is kept in the raw message only.'
}

export const isReadElsewhere = (name: string): boolean =>
  Object.values(segmentsRead).some((segments) => segments.has(name))

/** They speak of the message rather than of anybody's record. */
const ofAnyMessage = namesIn('MSH EVN SFT UAC DSC')

const person = 'PID PD1 NK1 PV1'
const visit = `${person} PV2`
const orders = `${visit} AL1 IN1 ORC OBR TQ1 OBX NTE SPM DG1 RXO RXE RXR RXC`

/** By MSH-9.1, what its family reads in some of its events, and what says no more than where a group begins. */
export const segmentsRead: Readonly<Record<string, ReadonlySet<string>>> = {
  ADT: namesIn(`${visit} MRG ROL AL1 IAM DG1 PR1 IN1 OBX NPU`),
  ORU: namesIn(`${visit} ORC OBR TQ1 OBX NTE SPM`),
  ORM: namesIn(orders),
  OMG: namesIn(orders),
  OML: namesIn(orders),
  OMI: namesIn(orders),
  VXU: namesIn(`${visit} IN1 ORC RXA RXR OBX NTE`),
  MDM: namesIn(`${visit} TXA OBX NTE`),
  MFN: namesIn('MFI MFE STF PRA ORG AFF LAN EDU CER LOC LCH LRL LDP'),
  QBP: namesIn('QPD RCP'),
  RDE: namesIn(`${visit} AL1 IN1 ORC RXO RXE RXR RXC TQ1 OBX NTE`),
  SIU: namesIn(`${person} SCH TQ1 NTE DG1 RGS AIS AIG AIL AIP`),
}

function namesIn(names: string): ReadonlySet<string> {
  return new Set(names.split(' '))
}
