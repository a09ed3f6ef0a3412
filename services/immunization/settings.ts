import { optionalSeries, type SeriesId } from './forecast/schedule.ts'
import type { ImmunizationSection } from './section.ts'

/** What the app is told about itself and its world. */
export interface ImmunizationSettings extends Pick<
  ImmunizationSection,
  | 'url'
  | 'issuers'
  | 'clientId'
  | 'sessionIdleSeconds'
  | 'sessionSeconds'
  | 'certificateIssuer'
  | 'certificateCountry'
  | 'writeForecast'
> {
  /** The optional series that everybody is to have. */
  readonly programme: readonly SeriesId[]
  readonly timeZone: string
  readonly redirectUri: string
  readonly isSecure: boolean
}

export function settingsOf(section: ImmunizationSection): ImmunizationSettings {
  const { url, certificateIssuer, certificateCountry, timeZone } = section
  const { clientId, sessionIdleSeconds, sessionSeconds, writeForecast } = section
  return {
    ...{
      url,
      clientId,
      sessionIdleSeconds,
      sessionSeconds,
      writeForecast,
      certificateIssuer,
      certificateCountry,
      timeZone,
    },
    programme: optionalSeries.filter((series) => section.programme.includes(series)),
    issuers: section.issuers.map(withoutSlash),
    redirectUri: `${url}/callback`,
    isSecure: url.startsWith('https:'),
  }
}

/** Base addresses are compared without the slash that some servers write at their end. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, '')
