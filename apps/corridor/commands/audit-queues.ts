import { auditTopic as signInAudit } from '../../../services/auth/audit/audit.ts'
import { auditTopics as messageAudit } from '../../../services/bridge/audit/audit-telling.ts'
import { toldTopic as decisions } from '../../../services/consent/audit/told-events.ts'
import { auditTopic as referralAudit } from '../../../services/referral/projection/deliver.ts'

/** What says who did what: it is missing elsewhere until it was told. */
export const auditQueues: readonly string[] = [...Object.values(messageAudit), signInAudit, decisions, referralAudit]
