/**
 * Messages whose control id stands in what they write, so that every version in the store tells which one made it
 * (`storedNumbers` of corridor-place.ts reads it there).
 */

/** Each gives the patient another name. */
export const newName = (patient: string, controlId: string): string =>
  `${header('ADT^A08', controlId)}PID|1||${patient}^^^CENTRAL^MR||DOE^N${controlId}||19800101|F\r`

/** Each is a critical result of its own. */
export const newResult = (patient: string, controlId: string): string =>
  `${header('ORU^R01', controlId)}PID|1||${patient}^^^CENTRAL^MR||ROE^RICHARD||19800101|M\r` +
  `OBR|1|${controlId}|F${controlId}|58410-2^CBC panel^LN|||20260304\r` +
  `OBX|1|ST|2823-3^Potassium^LN||N${controlId}|||HH|||F\r`

const header = (type: string, controlId: string) =>
  `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||${type}|${controlId}|P|2.5.1\r`
