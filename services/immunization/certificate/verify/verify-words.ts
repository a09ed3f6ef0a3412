/** What the page says. The browser's part of it travels with the page. */
export interface VerifyWords {
  readonly title: string
  readonly lead: string
  readonly camera: string
  readonly cameraText: string
  readonly cameraStart: string
  readonly cameraView: string
  readonly file: string
  readonly fileHint: string
  readonly text: string
  readonly textHint: string
  readonly check: string
  readonly needsScript: string
  readonly valid: string
  readonly invalid: string
  readonly name: string
  readonly birthDate: string
  readonly issued: string
  readonly doses: string
  readonly cameraRefused: string
  readonly noCode: string
  readonly unknownVaccine: string
  readonly lot: string
  readonly givenBy: string
  readonly identity: string
  /** One sentence for each reason that the browser's module knows; a test holds the two lists together. */
  readonly doubts: Readonly<Record<string, string>>
}

export const verifyEnglish: VerifyWords = {
  title: 'Check a certificate',
  lead: 'Everything happens on this device: nothing that you scan leaves it. Once opened, this page also works without a network.',
  camera: 'With the camera',
  cameraText: 'Hold the code so that it fills most of the picture.',
  cameraStart: 'Use the camera',
  cameraView: 'What the camera sees',
  file: 'From a file',
  fileHint: 'A photo of the code, or a .smart-health-card file.',
  text: 'From a text',
  textHint: 'What a code reader shows: it begins with shc:/.',
  check: 'Check',
  needsScript: 'This page checks certificates with a script, which this browser does not run.',
  valid: 'Valid: signed by this service and unchanged',
  invalid: 'This cannot be confirmed',
  name: 'Name',
  birthDate: 'Date of birth',
  issued: 'Issued',
  doses: 'Vaccinations',
  cameraRefused: 'The camera cannot be used. Allow it for this page, or choose a photo of the code.',
  noCode: 'No code was found in this picture. Take it closer, straight from above and without glare.',
  unknownVaccine: 'Unknown vaccine',
  lot: 'lot',
  givenBy: 'given by',
  identity: 'Compare the name and the date of birth with an identity document.',
  doubts: {
    'not-a-certificate': 'This is not a vaccination certificate, or not all of it.',
    'not-signed': 'This certificate is not signed, so nobody can tell whether it is true. Ask for the health card.',
    'other-issuer': 'It was issued by another service. Check it there.',
    'unknown-key': 'It is signed with a key that this service does not know, or no longer trusts.',
    'bad-signature': 'It was changed after it was signed, or the signature is forged.',
    'not-yet-valid': 'It is dated in the future. Check the clock of this device.',
    expired: 'It is no longer valid.',
  },
}
