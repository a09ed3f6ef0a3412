// Reads texts of eight million signs as a program does that has run for days: V8 stops optimising patterns in a process
// that has made more than a megabyte of code for them, and `x+` then takes room on a stack of 64 MB for every sign.
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--no-regexp-optimization')

// Only now: a pattern that has run keeps the code that it has.
const { parseMessage } = await import('../../../packages/hl7/index.ts')
const { parseJson } = await import('../../../packages/fhir/parse-json.ts')
const { primitiveChecks } = await import('../../../packages/fhir/validate/primitives.ts')
const { Report } = await import('../../../packages/fhir/validate/report.ts')
const { mapMessage } = await import('../../../services/bridge/mapping/map-message.ts')
const { testContext } = await import('../../../services/bridge/mapping/testing/context.ts')

const length = 8_000_000
const filledWith = (text: string) => text.repeat(length / text.length)

const header = (type: string) => `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304091500+0400||${type}|C1|P|2.5.1`
const person = 'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina'

const document = (field: string) => () => {
  const writes = mapped(
    ...[header('MDM^T02^MDM_T02'), 'EVN|T02|20260304091500+0400', person, 'PV1|1|I|WARD^2^^CENTRAL'],
    ...['TXA|1|CN|AP|20260304091500||||||||DOC1^HIS|||||AU', `OBX|1|${field}||||||F`],
  )
  // Two digits are a byte, and three bytes are four signs of base64.
  return writes.includes('"resourceType":"DocumentReference"') && writes.length > (length * 2) / 3 ? 'whole' : 'cut'
}

const admission =
  (...segments: readonly string[]) =>
  () => {
    mapped(header('ADT^A01^ADT_A01'), 'EVN|A01|20260304091500+0400', ...segments)
    return 'read'
  }

function mapped(...segments: readonly string[]): string {
  const result = mapMessage(parseMessage(Buffer.from(segments.join('\r'))), testContext())
  return result.refused === undefined ? JSON.stringify(result.writes) : 'refused'
}

const narrative = (text: string, attributes = '') =>
  primitive('xhtml', `<div xmlns="http://www.w3.org/1999/xhtml"${attributes}>${text}</div>`)

function primitive(type: string, value: string): () => string {
  return () => {
    const report = new Report()
    report.start({}, 'Test')
    primitiveChecks.get(type)?.(value, report)
    return report.errorCount === 0 ? 'taken' : 'refused'
  }
}

const readings: Readonly<Record<string, () => string>> = {
  'a document in base64': document(`ED|11502-2^Report^LN||^application^pdf^Base64^${filledWith('QUJD')}`),
  'a document in hexadecimal digits': document(`ED|11502-2^Report^LN||^application^pdf^Hex^${filledWith('4a')}`),
  'a document as it is': document(`ED|11502-2^Report^LN||^text^plain^A^${filledWith('word ')}`),
  'a text': document(`TX|11502-2^Report^LN||${filledWith('word ')}`),
  'a text of spaces and a letter': document(`TX|11502-2^Report^LN||a${filledWith(' ')}a`),
  'a text in escapes': document(`FT|11502-2^Report^LN||\\X${filledWith('4a')}\\${filledWith('\\.br\\')}`),
  'a pointer': document(`RP|11502-2^Report^LN||https://x.example/${filledWith('a')}^^application^pdf`),
  'a code': admission(person, `PV1|1|${filledWith('I')}`),
  'a code of spaces': admission(person, `PV1|1|${filledWith(' ')}`),
  'an OID as a system': admission(person, `PV1|1|I`, `DG1|1||J45^Asthma^1.1.1${filledWith('.1')}`),
  'a system of codes': admission(person, `PV1|1|I`, `DG1|1||J45^Asthma^http://x.example/${filledWith('a')}`),
  'names of spaces': admission(`PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina^${filledWith(' ')}`),
  'an authority': admission(`PID|1||4711^^^&http://x.example/${filledWith('a')}&URI^MR||RAMGOOLAM^Amina`),
  base64Binary: primitive('base64Binary', filledWith('QUJD')),
  'base64Binary in lines': primitive('base64Binary', filledWith('QUJDQUJD\r\n')),
  'base64Binary and spaces': primitive('base64Binary', `QQ=${filledWith(' ')}=${filledWith(' ')}`),
  uri: primitive('uri', `https://x.example/${filledWith('a')}`),
  code: primitive('code', filledWith('a')),
  'code of words': primitive('code', `${filledWith('a ')}a`),
  oid: primitive('oid', `urn:oid:1${filledWith('.1')}`),
  time: primitive('time', `10:00:00.${filledWith('1')}`),
  narrative: narrative(filledWith('word ')),
  'narrative of elements': narrative(filledWith('<b>x</b>')),
  'narrative with a picture': narrative(`<img src="data:image/png;base64,${filledWith('QUJD')}"/>`),
  'narrative with a style': narrative('x', ` style="${filledWith('a: b;')}"`),
  'narrative with attributes': narrative('x', filledWith(' id="x"')),
  'narrative with spaces': narrative('x', filledWith(' ')),
  'digits in JSON': () => typeof parseJson(`["1e${filledWith('1')}", "1.${filledWith('0')}"]`),
}

for (const [what, read] of Object.entries(readings)) process.stdout.write(`${what}: ${outcomeOf(read)}\n`)

function outcomeOf(read: () => string): string {
  try {
    return read()
  } catch (error) {
    return String(error)
  }
}
