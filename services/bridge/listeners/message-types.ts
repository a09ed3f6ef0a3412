import type { ChannelId } from '../pipeline/channel.ts'

/** MSH-9.1 of the messages that each channel takes; the first is its name in the channel record. */
export const messageTypesOf: Readonly<Record<ChannelId, readonly string[]>> = {
  adt: ['ADT', 'VXU'],
  oru: ['ORU', 'VXU'],
  orm: ['ORM', 'OML', 'OMI', 'OMG'],
  mdm: ['MDM'],
  qbp: ['QBP'],
  rde: ['RDE'],
  siu: ['SIU'],
  mfn: ['MFN'],
}
