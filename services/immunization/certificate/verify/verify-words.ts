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
