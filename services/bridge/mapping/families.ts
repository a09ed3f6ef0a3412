import type { Draft } from './draft.ts'
import { mapAdt } from './families/adt/adt.ts'
import { mapImagingOrders, mapLaboratoryOrders, mapOrders } from './families/orders/orders.ts'
import { mapOru } from './families/oru/oru.ts'
import { mapMdm } from './families/mdm/mdm.ts'
import { mapMfn } from './families/mfn/mfn.ts'
import { mapQbp } from './families/qbp/qbp.ts'
import { mapRde } from './families/rde/rde.ts'
import { mapSiu } from './families/siu/siu.ts'
import { mapVxu } from './families/vxu/vxu.ts'

/** By MSH-9.1, how a message of that type is mapped. A family puts its resources into the draft or refuses. */
export const families: Readonly<Record<string, (draft: Draft) => void>> = {
  ADT: mapAdt,
  ORU: mapOru,
  ORM: mapOrders,
  OMG: mapOrders,
  OML: mapLaboratoryOrders,
  OMI: mapImagingOrders,
  VXU: mapVxu,
  MDM: mapMdm,
  MFN: mapMfn,
  QBP: mapQbp,
  RDE: mapRde,
  SIU: mapSiu,
}
