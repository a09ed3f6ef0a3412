/**
 * What an order is by ORC-5 and ORC-1. ORC-5 wins: it says what the order is, ORC-1 what happens to it. But many a sender leaves in
 * ORC-5 what the order was until then (A, IP, SC): that it ends or rests stands all the same, or it would be carried out.
 */
export const statusByBoth = <Status extends string>(
  told: Status | undefined,
  byControl: Status | undefined,
): Status | undefined =>
  told === undefined || (told === 'active' && goesNotOn(byControl)) ? (byControl ?? told) : told

const goesNotOn = (status: string | undefined): boolean => status !== undefined && ended.has(status)

const ended: ReadonlySet<string> = new Set(['revoked', 'cancelled', 'stopped', 'on-hold'])
