/** An admission as a hospital sends it: 1 KB, with next of kin, doctors, places and a segment of the sender's own. */
export const admission = message(
  header('ADT^A01^ADT_A01'),
  'EVN|A01|20260304050607|||C7^CLERK^CARLA',
  patient(),
  'NK1|1|MUSTERMANN^MAX|SPO^Spouse^HL70063|1 HIGH STREET^^OXFORD^OXON^OX1 1AA^GBR|01865 200402',
  `PV1|1|I|ICU^101^A^HOSP||||0007^HOUSE^GREGORY^^^DR|||MED||||ADM|A0||||V4711^^^HOSP${'|'.repeat(25)}20260304050000`,
  `ZBE|${'MOVEMENT^OF^THE^SENDER|'.repeat(14)}`,
)

/** Sixty results of one order: 10 KB. */
export const results = message(
  header('ORU^R01^ORU_R01'),
  patient(),
  'OBR|1|P1|F1|58410-2^CBC^LN|||20260304050000+0100||||||||||||||||HM|F',
  ...Array.from(
    { length: 60 },
    (_, index) =>
      `OBX|${index + 1}|NM|718-7^Hemoglobin [Mass/volume] in Blood^LN^HGB^Haemoglobin^L||13.${index}|g/dL^^UCUM` +
      '|12.0-16.0|N|||F|||20260304050607+0100||0007^HOUSE^GREGORY^^^DR|||20260304060000+0100',
  ),
)

function header(type: string): string {
  return `MSH|^~\\&|LAB|HOSP^1.2.3.4^ISO|HUB|CORRIDOR|20260304050607+0100||${type}|42|P|2.5.1`
}

function patient(): string {
  return (
    'PID|1||1234567^4^M11^HOSP&1.2.3.4&ISO^MR~987654321^^^NAT&9.8.7.6&ISO^NI||MUSTERMANN^ERIKA^MARIA^^DR||19610615|F' +
    '||2106-3|1 HIGH STREET^^OXFORD^OXON^OX1 1AA^GBR||01865 200400|01865 200401|ENG|M||A4711|123-45-6789'
  )
}

function message(...segments: readonly string[]): Buffer {
  return Buffer.from(`${segments.join('\r')}\r`)
}
