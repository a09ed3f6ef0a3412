import { auditSource, coded, detail, participantObject, type AuditSource } from './dicom-parts.ts'
import type { ActionRecord } from './operator-action.ts'
import { xml, type Markup } from './xml.ts'

/** An action as an AuditMessage of DICOM PS3.15 A.5, on one line: Application Activity, with the person as who began it. */
export function actionXml(record: ActionRecord, source: AuditSource): string {
  const parts = [event(record), person(record), application(record, source), auditSource(source), object(record)]
  return xml`<?xml version="1.0" encoding="UTF-8"?><AuditMessage>${parts}</AuditMessage>`.text
}

function event({ at, outcome, did, reason }: ActionRecord): Markup {
  const said = reason === undefined ? [] : [xml`<EventOutcomeDescription>${reason}</EventOutcomeDescription>`]
  const parts = [activity, xml`<EventTypeCode ${coded(did, 'Corridor', did)}/>`, ...said]
  return xml`<EventIdentification EventActionCode="E" EventDateTime="${at}" EventOutcomeIndicator="${outcome}">${parts}</EventIdentification>`
}

const person = ({ subject, clientId, peer }: ActionRecord) =>
  xml`<ActiveParticipant UserID="${subject}" AlternativeUserID="${clientId}" UserIsRequestor="true" NetworkAccessPointID="${peer}" NetworkAccessPointTypeCode="2"><RoleIDCode ${launcherRole}/></ActiveParticipant>`

const application = ({ processId }: ActionRecord, { sourceId }: AuditSource) =>
  xml`<ActiveParticipant UserID="${sourceId}" AlternativeUserID="${processId}" UserIsRequestor="false"><RoleIDCode ${applicationRole}/></ActiveParticipant>`

/** What it was done with, or the request where that cannot be named: by this a repetition is told. */
function object({ id, to, requestId, details }: ActionRecord): Markup {
  const { kind, id: named } = to ?? { kind: 'request', id: requestId }
  return participantObject(named, '2', '20', [
    xml`<ParticipantObjectIDTypeCode ${coded(kind, 'Corridor', kind)}/>`,
    detail('record', id),
    detail('request', requestId),
    ...details.map(([name, value]) => detail(name, value)),
  ])
}

const activity = xml`<EventID ${coded('110100', 'DCM', 'Application Activity')}/>`
const applicationRole = coded('110150', 'DCM', 'Application')
const launcherRole = coded('110151', 'DCM', 'Application Launcher')
