import type { Service } from '../../packages/service/service.ts'
import { authService } from '../../services/auth/service.ts'
import { bridgeService } from '../../services/bridge/service.ts'
import { consentService } from '../../services/consent/service.ts'
import { fhirService } from '../../services/fhir/service.ts'
import { immunizationService } from '../../services/immunization/service.ts'
import { referralService } from '../../services/referral/service.ts'

/** The services in the order in which they start; each one only needs those before it. They stop in reverse. */
export const services = [
  authService,
  fhirService,
  consentService,
  referralService,
  bridgeService,
  immunizationService,
] as const

export type ServiceName = (typeof services)[number]['name']
export type CorridorService = Service<ServiceName>

export const serviceNames: readonly ServiceName[] = services.map(({ name }) => name)
