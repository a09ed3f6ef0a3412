import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import type { KitWithPages } from '../../packages/service/service.ts'
import { openCardIssuers } from './certificate/card-issuers.ts'
import { openCertificateKeys } from './certificate/keys.ts'
import type { ImmunizationDeps } from './deps.ts'
import { IssuerDirectory } from './launch/issuer-directory.ts'
import { PatientRecords } from './read-model/patient-records.ts'
import type { ImmunizationSection } from './section.ts'
import { keepTokens } from './session/keep-tokens.ts'
import { takenBack } from './session/taken-back.ts'
import { settingsOf } from './settings.ts'
import { appAssets, assetAddresses } from './views/app-assets.ts'

/** Puts together what the routes work with. */
export async function makeDeps(
  section: ImmunizationSection,
  { database, clock, ids, log, metrics, outbound: { deadlineMs }, pages, addresses, isRevoked }: KitWithPages,
): Promise<ImmunizationDeps> {
  const settings = settingsOf(section)
  const outbound = makeOutbound({
    origins: [
      ...settings.issuers.map((url) => ({ name: 'FHIR server', url })),
      ...section.authorizationServers.map((url) => ({ name: 'authorization server', url })),
    ],
    ...{ deadlineMs, responseBytesMax: 16_777_216, connectionsMax: 32, clock, log, metrics },
  })
  const issuers = new IssuerDirectory(settings.issuers, { outbound, clock, log })
  const keeper = keepTokens({ database, clock, issuers, outbound, settings })
  const authUrl = addresses['auth']
  const isTakenBack = takenBack({ authUrl, isRevoked })
  const certificateKeys = await openCertificateKeys({
    ...{ database, clock, log, issuerCode: settings.certificateIssuer },
    ...{ secret: section.certificateKeySecret, signsDays: section.certificateKeyDays },
  })
  await certificateKeys.sealOpenKeys()
  await certificateKeys.check()
  const cardIssuers = await openCardIssuers({ url: settings.url, database, clock })
  const own = appAssets()
  return {
    ...{ settings, database, clock, ids, log, outbound, issuers, keeper, isTakenBack, authUrl },
    records: new PatientRecords({ outbound, keeper, database, clock, log, settings }),
    ...{ certificateKeys, cardIssuers },
    appAssets: own,
    assetUrl: assetAddresses(own, pages.assetUrl),
  }
}
