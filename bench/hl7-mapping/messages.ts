/** An admission as a hospital sends it: 1 KB, with next of kin, doctors, places and a segment of the sender's own. */
export const admissions = Array.from({ length: 500 }, (_, index) => admissionOf(100_000 + index))

/** Sixty results of one order: 10 KB. */
export const reports = Array.from({ length: 50 }, (_, index) => reportOf(100_000 + index))

function admissionOf(number: number): Buffer {
  return message(
    header('ADT^A01^ADT_A01', number),
    'EVN|A01|20260304050607|||C7^CLERK^CARLA',
    patient(number),
    'NK1|1|MUSTERMANN^MAX|SPO^Spouse^HL70063|1 HIGH STREET^^OXFORD^OXON^OX1 1AA^GBR|01865 200402',
    `PV1|1|I|ICU^101^A^HOSP||||0007^HOUSE^GREGORY^^^DR|||MED||||ADM|A0||||V${number}^^^HOSP${'|'.repeat(25)}20260304050000`,
    `ZBE|${'MOVEMENT^OF^THE^SENDER|'.repeat(14)}`,
  )
}

function reportOf(number: number): Buffer {
  return message(
    header('ORU^R01^ORU_R01', number),
    patient(number),
    `OBR|1|P${number}|F${number}|58410-2^CBC^LN|||20260304050000+0100||||||||||||||||HM|F`,
    ...Array.from(
      { length: 60 },
      (_, index) =>
        `OBX|${index + 1}|NM|718-7^Hemoglobin [Mass/volume] in Blood^LN^HGB^Haemoglobin^L||13.${index}|g/dL^^UCUM` +
        '|12.0-16.0|N|||F|||20260304050607+0100||0007^HOUSE^GREGORY^^^DR|||20260304060000+0100',
    ),
  )
}

function header(type: string, number: number): string {
  return `MSH|^~\\&|LAB|HOSP^1.2.3.4^ISO|HUB|CORRIDOR|20260304050607+0100||${type}|${number}|P|2.5.1`
}

function patient(number: number): string {
  return (
    `PID|1||${number}7^4^M11^HOSP&1.2.3.4&ISO^MR~${number}321^^^NAT&9.8.7.6&ISO^NI||MUSTERMANN^ERIKA^MARIA^^DR||19610615|F` +
    '||2106-3|1 HIGH STREET^^OXFORD^OXON^OX1 1AA^GBR||01865 200400|01865 200401|ENG|M||A4711|123-45-6789'
  )
}

function message(...segments: readonly string[]): Buffer {
  return Buffer.from(`${segments.join('\r')}\r`)
}
