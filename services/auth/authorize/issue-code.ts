import { later } from '../../../packages/clock/later.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Scope } from '../../../packages/smart/scope.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import { auditIn, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import type { Visitor } from '../login/visitor.ts'
import { digestOf } from '../secrets/digest.ts'
import { endRequest } from '../store/authorization-requests.ts'
import { addCode } from '../store/codes.ts'
import { consumeLaunch } from '../store/launches.ts'
import type { Asked } from './asked.ts'
import { launchRejected, rejectLaunch } from './find-launch.ts'
import type { PatientContext } from './patient-context.ts'
import { requestOver } from './request-over.ts'

interface Agreed {
  readonly asked: Asked
  readonly visitor: Visitor
  readonly scope: readonly Scope[]
  readonly context: PatientContext
  /** The request that waited for the user, if it had to. */
  readonly requestHash: string | undefined
}

/** Makes the code and uses up what led to it, all or nothing. */
export async function issueCode(agreed: Agreed, request: IncomingRequest, deps: AuthDeps): Promise<string> {
  const { asked, visitor, context } = agreed
  const { parameters, client, redirectUri } = asked
  const { user } = visitor
  const { clock, ids, settings, database } = deps
  const code = ids.secret()
  const grantId = ids.uuid()
  let isLaunchLost = false
  const issuing = database.transaction(async (tx) => {
    const now = clock.now()
    const by = { userId: user.id, clientId: client.clientId }
    const about = { clientId: client.clientId, subject: user.subject, grantId, ...whence(request) }
    const whom = { patient: context.patient ?? undefined }
    if (agreed.requestHash !== undefined && !(await endRequest(agreed.requestHash, tx))) throw answeredBefore()
    const launch = parameters['launch']
    if (launch !== undefined) {
      isLaunchLost = (await consumeLaunch(digestOf(launch), by, now, tx)) === undefined
      if (isLaunchLost) throw launchRejected()
      await auditIn(tx, { event: 'launch used', ...about, ...whom }, deps)
    }
    await addCode(
      digestOf(code),
      {
        ...{ ...by, ...context, grantId, redirectUri },
        sessionHash: visitor.sessionHash,
        // Sound: checkCodeChallenge comes before this.
        codeChallenge: parameters['code_challenge'] ?? '',
        scope: printScopes(agreed.scope),
        nonce: parameters['nonce'] ?? null,
        signedInAt: visitor.signedInAt,
        sessionExpiresAt: visitor.expiresAt,
        expiresAt: later(now, settings.codeSeconds),
      },
      tx,
    )
    await auditIn(tx, { event: 'code issued', ...about, ...whom }, deps)
  })
  await issuing.catch((thrown: unknown) => {
    // Somebody was faster with the launch. All that the transaction wrote went with it, so this is written by itself.
    if (isLaunchLost) return rejectLaunch({ client, user }, request, deps)
    throw thrown
  })
  return code
}

const answeredBefore = () =>
  incorrect('This request was answered before. Start again from the app.', { code: requestOver })
