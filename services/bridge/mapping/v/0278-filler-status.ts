import type { CodeMap } from '../code-map.ts'

/** HL7 table 0278 to appointmentstatus, and the words that senders write. */
export const fillerStatus: CodeMap<
  | 'pending'
  | 'waitlist'
  | 'booked'
  | 'arrived'
  | 'checked-in'
  | 'fulfilled'
  | 'cancelled'
  | 'entered-in-error'
  | 'noshow'
> = {
  table: '0278',
  name: 'Filler Status Codes',
  rows: {
    PENDING: 'pending',
    WAITLIST: 'waitlist',
    BOOKED: 'booked',
    SCHEDULED: 'booked',
    CONFIRMED: 'booked',
    ARRIVED: 'arrived',
    STARTED: 'checked-in',
    'CHECKED IN': 'checked-in',
    'CHECKED-IN': 'checked-in',
    COMPLETE: 'fulfilled',
    COMPLETED: 'fulfilled',
    CANCELLED: 'cancelled',
    CANCELED: 'cancelled',
    DELETED: 'entered-in-error',
    NOSHOW: 'noshow',
    'NO SHOW': 'noshow',
    'NO-SHOW': 'noshow',
  },
}
