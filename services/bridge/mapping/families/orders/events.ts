/** HL7 table 0003 for orders, by message type. */
export const orderEvents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ORM: { O01: 'Order' },
  OML: {
    O21: 'Laboratory order',
    O33: 'Laboratory order for several orders of one specimen',
    O35: 'Laboratory order for several orders of one container',
    O39: 'Specimen shipment centric laboratory order',
  },
  OMG: { O19: 'General clinical order' },
  OMI: { O23: 'Imaging order' },
}
