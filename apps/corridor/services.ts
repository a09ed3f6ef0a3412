import type { Service } from '../../packages/service/service.ts'
import { authService } from '../../services/auth/service.ts'
import { bridgeService } from '../../services/bridge/service.ts'
import { consentService } from '../../services/consent/service.ts'
import { fhirService } from '../../services/fhir/service.ts'
import { immunizationService } from '../../services/immunization/service.ts'
import { referralService } from '../../services/referral/service.ts'
import { serviceNames, type ServiceName } from './service-names.ts'

export type CorridorService = Service<ServiceName>

const byName: { readonly [Name in ServiceName]: Service<Name> } = {
  auth: authService,
  fhir: fhirService,
  consent: consentService,
  referral: referralService,
  bridge: bridgeService,
  immunization: immunizationService,
}

export const services: readonly CorridorService[] = serviceNames.map((name) => byName[name])
