import { flag, optionalPath, optionalText, port, text } from '../../../packages/config/key.ts'
import type { ConfigurationOf } from '../../../packages/config/schema.ts'

/** `bridge.audit.…` */
export const auditSection = {
  repositoryHost: optionalText({
    meaning:
      'The audit record repository that takes syslog over TLS (RFC 5425). Without one the embedded repository keeps the records in demo mode, and only FHIR AuditEvents are written in production.',
  }),
  repositoryPort: port({ default: 6514, meaning: 'The port of that repository.' }),
  repositoryCaFile: optionalPath({
    meaning: "The PEM file of who signed the repository's certificate; the system's authorities unless said.",
  }),
  certificateFile: optionalPath({
    meaning: 'The PEM file of the certificate that is shown to a repository that asks for one.',
  }),
  keyFile: optionalPath({ meaning: 'The PEM file of the key of that certificate.' }),
  receiverPort: port({
    default: 6514,
    meaning: 'Where the embedded repository of a demo listens, on loopback; 0 takes any free port.',
  }),
  toFhir: flag({ default: true, meaning: 'Whether each message is also written to the FHIR store as an AuditEvent.' }),
  sourceId: text({
    default: 'corridor-bridge',
    meaning: 'How the bridge names itself as the source of audit records.',
  }),
  site: optionalText({ meaning: 'The site that audit records name.' }),
  patientAuthority: text({
    default: 'CORRIDOR',
    meaning: 'Who assigned the golden patient ids in audit records: an OID, or a name.',
  }),
}

export type AuditSection = ConfigurationOf<typeof auditSection>
