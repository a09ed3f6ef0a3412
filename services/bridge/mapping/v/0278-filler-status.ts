import type { CodeMap } from '../code-map.ts'

/** HL7 table 0278 to appointmentstatus. */
export const fillerStatus: CodeMap<
  'pending' | 'waitlist' | 'booked' | 'checked-in' | 'fulfilled' | 'cancelled' | 'entered-in-error' | 'noshow'
> = {
  table: '0278',
  name: 'Filler Status Codes',
  rows: {
    PENDING: 'pending',
    WAITLIST: 'waitlist',
    BOOKED: 'booked',
    STARTED: 'checked-in',
    COMPLETE: 'fulfilled',
    CANCELLED: 'cancelled',
    DELETED: 'entered-in-error',
    NOSHOW: 'noshow',
  },
}
