export * from './acknowledge.ts'
export * from './acknowledgement-mode.ts'
export * from './batch.ts'
export * from './builder.ts'
export {
  charset,
  charsetNamed,
  eastAsianCharsets,
  oneByteCharsets,
  utf8,
  windows1252,
  type Charset,
} from './charset.ts'
export { controlIdOf } from './control-id.ts'
export type { CharsetOptions } from './decode.ts'
export { encodingCharacters, standardDelimiters, type Delimiters } from './delimiters.ts'
export { escapeText, unescapeText } from './escapes.ts'
export {
  raw,
  repeated,
  type Atom,
  type ComponentValue,
  type Fields,
  type FieldValue,
  type Raw,
  type Repeated,
} from './field-value.ts'
export * from './header-check.ts'
export * from './hl7-fault.ts'
export * from './issue.ts'
export { isLineEnd } from './line-end.ts'
export * from './master-file-answer.ts'
export { Message } from './message.ts'
export * from './parse.ts'
export { Part, type Value } from './part.ts'
export * from './path.ts'
export * from './query-response.ts'
export * from './read-acknowledgement.ts'
export * from './read-issues.ts'
export { SegmentList } from './segment-list.ts'
export { Segment } from './segment.ts'
export type { Syntax } from './syntax.ts'
export * from './timestamp.ts'
export * from './version.ts'
export * from './mllp/client.ts'
export { type Peer } from './mllp/connection-options.ts'
export { type MllpCounters } from './mllp/counters.ts'
export * from './mllp/framer.ts'
export * from './mllp/server.ts'
export * from './names/field-names.ts'
export type { ClientTls, ServerTls } from './mllp/tls.ts'
export * from './types/index.ts'
