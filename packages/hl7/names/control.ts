import { named, type SegmentNames } from './segment-names.ts'

/** Headers, answers, queries and notes (chapters 2 and 5). */
export const controlSegments: Readonly<Record<string, SegmentNames>> = {
  MSH: named(
    'Message Header',
    'Field Separator|Encoding Characters|Sending Application|Sending Facility|Receiving Application|Receiving Facility|Date/Time of Message|Security|Message Type|Message Control ID|Processing ID|Version ID|Sequence Number|Continuation Pointer|Accept Acknowledgment Type|Application Acknowledgment Type|Country Code|Character Set|Principal Language of Message|Alternate Character Set Handling Scheme|Message Profile Identifier|Sending Responsible Organization|Receiving Responsible Organization|Sending Network Address|Receiving Network Address|Security Classification Tag|Security Handling Instructions|Special Access Restriction Instructions',
  ),
  MSA: named(
    'Message Acknowledgment',
    'Acknowledgment Code|Message Control ID|Text Message|Expected Sequence Number|Delayed Acknowledgment Type|Error Condition|Message Waiting Number|Message Waiting Priority',
  ),
  ERR: named(
    'Error',
    'Error Code and Location|Error Location|HL7 Error Code|Severity|Application Error Code|Application Error Parameter|Diagnostic Information|User Message|Inform Person Indicator|Override Type|Override Reason Code|Help Desk Contact Point',
  ),
  EVN: named(
    'Event Type',
    'Event Type Code|Recorded Date/Time|Date/Time Planned Event|Event Reason Code|Operator ID|Event Occurred|Event Facility',
  ),
  SFT: named(
    'Software Segment',
    'Software Vendor Organization|Software Certified Version or Release Number|Software Product Name|Software Binary ID|Software Product Information|Software Install Date',
  ),
  UAC: named(
    'User Authentication Credential',
    'User Authentication Credential Type Code|User Authentication Credential',
  ),
  NTE: named(
    'Notes and Comments',
    'Set ID - NTE|Source of Comment|Comment|Comment Type|Entered By|Entered Date/Time|Effective Start Date|Expiration Date|Coded Comment',
  ),
  DSC: named('Continuation Pointer', 'Continuation Pointer|Continuation Style'),
  ADD: named('Addendum', 'Addendum Continuation Pointer'),
  FHS: named(
    'File Header',
    'File Field Separator|File Encoding Characters|File Sending Application|File Sending Facility|File Receiving Application|File Receiving Facility|File Creation Date/Time|File Security|File Name/ID|File Header Comment|File Control ID|Reference File Control ID',
  ),
  FTS: named('File Trailer', 'File Batch Count|File Trailer Comment'),
  BHS: named(
    'Batch Header',
    'Batch Field Separator|Batch Encoding Characters|Batch Sending Application|Batch Sending Facility|Batch Receiving Application|Batch Receiving Facility|Batch Creation Date/Time|Batch Security|Batch Name/ID/Type|Batch Comment|Batch Control ID|Reference Batch Control ID',
  ),
  BTS: named('Batch Trailer', 'Batch Message Count|Batch Comment|Batch Totals'),
  QAK: named(
    'Query Acknowledgment',
    'Query Tag|Query Response Status|Message Query Name|Hit Count Total|This Payload|Hits Remaining',
  ),
  QPD: named('Query Parameter Definition', 'Message Query Name|Query Tag|User Parameters'),
  QRI: named('Query Response Instance', 'Candidate Confidence|Match Reason Code|Algorithm Descriptor'),
  RCP: named(
    'Response Control Parameter',
    'Query Priority|Quantity Limited Request|Response Modality|Execution and Delivery Time|Modify Indicator|Sort-by Field|Segment Group Inclusion',
  ),
  QRD: named(
    'Original-Style Query Definition',
    'Query Date/Time|Query Format Code|Query Priority|Query ID|Deferred Response Type|Deferred Response Date/Time|Quantity Limited Request|Who Subject Filter|What Subject Filter|What Department Data Code|What Data Code Value Qualifier|Query Results Level',
  ),
}
