import type { CodeMap } from '../code-map.ts'

/** HL7 table 0201 to contact-point-use; the others have no use code. */
export const telecommunicationUse: CodeMap<'home' | 'work' | 'mobile' | undefined> = {
  table: '0201',
  name: 'Telecommunication Use Code',
  rows: {
    PRN: 'home',
    WPN: 'work',
    PRS: 'mobile',
    ORN: undefined,
    VHN: undefined,
    ASN: undefined,
    EMR: undefined,
    NET: undefined,
    BPN: undefined,
    // Words that senders write instead of the codes.
    HOME: 'home',
    WORK: 'work',
    MOBILE: 'mobile',
    EMAIL: undefined,
  },
}
