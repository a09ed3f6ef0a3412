import type { Clock } from '../../packages/clock/clock.ts'
import type { Ids } from '../../packages/clock/ids.ts'
import type { Outbound } from '../../packages/http/outbound/outbound.ts'
import type { StaticAssets } from '../../packages/http/static-assets.ts'
import type { Log } from '../../packages/log/log.ts'
import type { Database } from '../../packages/sql/database.ts'
import type { CardIssuers } from './certificate/card-issuers.ts'
import type { CertificateKeys } from './certificate/keys.ts'
import type { IssuerDirectory } from './launch/issuer-directory.ts'
import type { PatientRecords } from './read-model/patient-records.ts'
import type { TokenKeeper } from '../../packages/sign-in/token-keeper.ts'
import type { Session } from './session/session.ts'
import type { IsTakenBack } from './session/taken-back.ts'
import type { ImmunizationSettings } from './settings.ts'

/** What the routes of the app work with. Functions name the part of it that they need. */
export interface ImmunizationDeps {
  readonly settings: ImmunizationSettings
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Reaches the issuers and their authorization servers, and nothing else. */
  readonly outbound: Outbound
  readonly issuers: IssuerDirectory
  readonly keeper: TokenKeeper<Session>
  readonly isTakenBack: IsTakenBack
  /** Our own authorization server; the app also works with others. */
  readonly authUrl: string | undefined
  readonly records: PatientRecords
  readonly certificateKeys: CertificateKeys
  readonly cardIssuers: CardIssuers
  readonly assetUrl: (name: string) => string
  readonly appAssets: StaticAssets
}
