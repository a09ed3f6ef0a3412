import type { ShownCapabilities } from '../capability/shown-capabilities.ts'
import type { AuthorizeRequest } from '../scopes/access.ts'
import type { AuditTrail } from '../interactions/audited.ts'
import type { InteractionDeps } from '../interactions/deps.ts'
import type { IndexMetrics } from '../patient-index/index-metrics.ts'
import type { NamesInUse } from '../patient-index/names-in-use.ts'
import type { PatientRecords } from '../patient-index/patient-records.ts'
import type { TerminologySource } from '../terminology/source.ts'

/** What the routes stand on beside the interactions. */
export interface FhirDeps extends InteractionDeps {
  /** The one place where a token becomes what its bearer may reach. */
  readonly authorize: AuthorizeRequest
  readonly audit: AuditTrail
  /** The SMART document of the authorization server, which this base serves too. */
  readonly smartConfiguration: () => Promise<object>
  /** Whether pages of this origin may call: those of registered apps. */
  readonly allowsOrigin: (origin: string) => boolean | Promise<boolean>
  readonly terminology: TerminologySource
  /** For the patient index: how common names are, and the Patients that it links. */
  readonly names: NamesInUse
  readonly records: PatientRecords
  readonly indexMetrics: IndexMetrics
  /** JSON of the CapabilityStatement. It names 13,000 reverse includes: who never asks for it does not wait for it. */
  readonly capabilityStatement: () => string
  /** The same as anybody may have it, without a token: made and compressed once, for it is long. */
  readonly shownCapabilities: ShownCapabilities
}
