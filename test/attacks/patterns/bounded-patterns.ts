/**
 * Patterns whose work may grow faster than the text, and why that is little work all the same: the text has a bound,
 * comes from whoever runs Corridor, or is of a form in which the pattern does not fail. By file, so that whoever moves
 * or copies such a pattern has to think again.
 */
export const boundedPatterns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/config/key.ts': { [String.raw`\/+$`]: 'an address in the configuration' },
  'packages/config/load.ts': {
    [String.raw`_(SERVICE_(HOST|PORT\w*)|PORT_\d+_(TCP|UDP)\w*)$`]: 'names in the environment of the process',
  },
  'packages/fhir/number.ts': { '[eE].*$': 'at most 64 signs, and one e among them' },
  'packages/fhir/parse-json.ts': {
    [String.raw`[0-9](?=[,}\]\s])(?<=\.[0-9]*0|\.0{6}[0-9]+|[0-9][eE][0-9+-][0-9+-]*|[0-9.]{16}|-0)`]:
      'looks back once a number, from its last digit, and no further than the number goes',
  },
  'packages/hl7/batch.ts': {
    [String.raw`(?<=^[ \t]{0,16}|[\r\n\u000b][ \t]{0,16}|^ï»¿)(FHS|BHS|MSH|BTS|FTS)(?=[^\p{L}\p{N}\s]|[\r\n]|$)`]:
      'looks back over sixteen signs at most',
  },
  'packages/postgres/bring-up.ts': {
    'could not bind|could not create any TCP|Address already in use|still in use|lock file .* (already exists|is empty)':
      "the last words of Corridor's own database",
  },
  'packages/tokens/unique-json.ts': {
    [String.raw`"(?:[^"\\]|\\.)*"(?:\s*:)?`]: 'reads only JSON, in which every string that begins ends',
  },
  'services/bridge/coordination/cds-rules.ts': {
    [String.raw`\b\w+(pril|sartan)\b|\bspironolactone\b|\beplerenone\b`]: 'begins once a word, at its first letter',
  },
  'services/bridge/mapping/segment-map.ts': { '[^.]+$': 'paths of our own tables' },
  'services/bridge/outbound/channels/deliver-rest.ts': {
    [String.raw`\/+$`]: 'the path of an address that was allowed',
  },
  'services/bridge/persist/send-writes.ts': { '"(.*)"': 'what the FHIR store says of a version that it has written' },
  'services/fhir/terminology/maps/laboratory-abbreviations.ts': { [String.raw`\s*,\s*`]: 'our own table' },
  'services/fhir/terminology/maps/v2.ts': { [String.raw`\s*,\s*`]: 'our own table' },
  'services/fhir/terminology/ucum.ts': {
    [String.raw`^(.*)\(([^()]*)\)(.*)$`]: 'at most 80 signs',
    [String.raw`^(.*?)(?:[+-]?\d+)?$`]: 'at most 80 signs',
  },
  'services/immunization/certificate/icao-name.ts': { '<+$': 'a name that was cut to 39 signs' },
  'services/immunization/launch/identity.ts': {
    [String.raw`[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$`]:
      'a claim of a token that was verified, of an issuer that is known',
  },
  'services/immunization/settings.ts': { [String.raw`\/+$`]: 'an address in the configuration' },
}
