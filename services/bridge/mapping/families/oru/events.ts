/** HL7 table 0003 for results. R02 is a query, and R41 the answer to an alarm. */
export const resultEvents: Readonly<Record<string, string>> = {
  R01: 'Unsolicited observations',
  R03: 'Display-oriented results, before 2.5',
  R30: 'Point-of-care observations without an order: place one',
  R31: 'Point-of-care observations: search for their order',
  R32: 'Point-of-care observations of an order',
  R40: 'Alarm',
  R42: 'Device event',
}
