import { named, type SegmentNames } from './segment-names.ts'

/** Orders, results, specimens, drugs and documents (chapters 4, 7 and 9). */
export const orderSegments: Readonly<Record<string, SegmentNames>> = {
  ORC: named(
    'Common Order',
    "Order Control|Placer Order Number|Filler Order Number|Placer Order Group Number|Order Status|Response Flag|Quantity/Timing|Parent Order|Date/Time of Order Event|Entered By|Verified By|Ordering Provider|Enterer's Location|Call Back Phone Number|Order Effective Date/Time|Order Control Code Reason|Entering Organization|Entering Device|Action By|Advanced Beneficiary Notice Code|Ordering Facility Name|Ordering Facility Address|Ordering Facility Phone Number|Ordering Provider Address|Order Status Modifier|Advanced Beneficiary Notice Override Reason|Filler's Expected Availability Date/Time|Confidentiality Code|Order Type|Enterer Authorization Mode|Parent Universal Service Identifier|Advanced Beneficiary Notice Date|Alternate Placer Order Number|Order Workflow Profile|Action Code|Order Status Date Range|Order Creation Date/Time|Filler Order Group Number",
  ),
  OBR: named(
    'Observation Request',
    "Set ID - OBR|Placer Order Number|Filler Order Number|Universal Service Identifier|Priority|Requested Date/Time|Observation Date/Time|Observation End Date/Time|Collection Volume|Collector Identifier|Specimen Action Code|Danger Code|Relevant Clinical Information|Specimen Received Date/Time|Specimen Source|Ordering Provider|Order Callback Phone Number|Placer Field 1|Placer Field 2|Filler Field 1|Filler Field 2|Results Rpt/Status Chng - Date/Time|Charge to Practice|Diagnostic Serv Sect ID|Result Status|Parent Result|Quantity/Timing|Result Copies To|Parent Results Observation Identifier|Transportation Mode|Reason for Study|Principal Result Interpreter|Assistant Result Interpreter|Technician|Transcriptionist|Scheduled Date/Time|Number of Sample Containers|Transport Logistics of Collected Sample|Collector's Comment|Transport Arrangement Responsibility|Transport Arranged|Escort Required|Planned Patient Transport Comment|Procedure Code|Procedure Code Modifier|Placer Supplemental Service Information|Filler Supplemental Service Information|Medically Necessary Duplicate Procedure Reason|Result Handling|Parent Universal Service Identifier|Observation Group ID|Parent Observation Group ID|Alternate Placer Order Number|Parent Order",
  ),
  OBX: named(
    'Observation/Result',
    "Set ID - OBX|Value Type|Observation Identifier|Observation Sub-ID|Observation Value|Units|Reference Range|Interpretation Codes|Probability|Nature of Abnormal Test|Observation Result Status|Effective Date of Reference Range|User Defined Access Checks|Date/Time of the Observation|Producer's ID|Responsible Observer|Observation Method|Equipment Instance Identifier|Date/Time of the Analysis|Observation Site|Observation Instance Identifier|Mood Code|Performing Organization Name|Performing Organization Address|Performing Organization Medical Director|Patient Results Release Category|Root Cause|Local Process Control|Observation Type|Observation Sub-Type|Action Code|Observation Value Absent Reason|Observation Related Specimen Identifier",
  ),
  TQ1: named(
    'Timing/Quantity',
    'Set ID - TQ1|Quantity|Repeat Pattern|Explicit Time|Relative Time and Units|Service Duration|Start Date/Time|End Date/Time|Priority|Condition Text|Text Instruction|Conjunction|Occurrence Duration|Total Occurrences',
  ),
  TQ2: named(
    'Timing/Quantity Relationship',
    'Set ID - TQ2|Sequence/Results Flag|Related Placer Number|Related Filler Number|Related Placer Group Number|Sequence Condition Code|Cyclic Entry/Exit Indicator|Sequence Condition Time Interval|Cyclic Group Maximum Number of Repeats|Special Service Request Relationship',
  ),
  SPM: named(
    'Specimen',
    'Set ID - SPM|Specimen Identifier|Specimen Parent IDs|Specimen Type|Specimen Type Modifier|Specimen Additives|Specimen Collection Method|Specimen Source Site|Specimen Source Site Modifier|Specimen Collection Site|Specimen Role|Specimen Collection Amount|Grouped Specimen Count|Specimen Description|Specimen Handling Code|Specimen Risk Code|Specimen Collection Date/Time|Specimen Received Date/Time|Specimen Expiration Date/Time|Specimen Availability|Specimen Reject Reason|Specimen Quality|Specimen Appropriateness|Specimen Condition|Specimen Current Quantity|Number of Specimen Containers|Container Type|Container Condition|Specimen Child Role|Accession ID|Other Specimen ID|Shipment ID',
  ),
  SAC: named(
    'Specimen Container Detail',
    'External Accession Identifier|Accession Identifier|Container Identifier|Primary (Parent) Container Identifier|Equipment Container Identifier|Specimen Source|Registration Date/Time|Container Status|Carrier Type|Carrier Identifier|Position in Carrier|Tray Type|Tray Identifier|Position in Tray|Location',
  ),
  CTD: named(
    'Contact Data',
    'Contact Role|Contact Name|Contact Address|Contact Location|Contact Communication Information|Preferred Method of Contact|Contact Identifiers',
  ),
  CTI: named('Clinical Trial Identification', 'Sponsor Study ID|Study Phase Identifier|Study Scheduled Time Point'),
  RXO: named(
    'Pharmacy/Treatment Order',
    "Requested Give Code|Requested Give Amount - Minimum|Requested Give Amount - Maximum|Requested Give Units|Requested Dosage Form|Provider's Pharmacy/Treatment Instructions|Provider's Administration Instructions|Deliver-To Location|Allow Substitutions|Requested Dispense Code|Requested Dispense Amount|Requested Dispense Units|Number of Refills|Ordering Provider's DEA Number|Pharmacist/Treatment Supplier's Verifier ID|Needs Human Review|Requested Give Per (Time Unit)|Requested Give Strength|Requested Give Strength Units|Indication|Requested Give Rate Amount|Requested Give Rate Units|Total Daily Dose|Supplementary Code|Requested Drug Strength Volume|Requested Drug Strength Volume Units|Pharmacy Order Type|Dispensing Interval",
  ),
  RXE: named(
    'Pharmacy/Treatment Encoded Order',
    "Quantity/Timing|Give Code|Give Amount - Minimum|Give Amount - Maximum|Give Units|Give Dosage Form|Provider's Administration Instructions|Deliver-to Location|Substitution Status|Dispense Amount|Dispense Units|Number of Refills|Ordering Provider's DEA Number|Pharmacist/Treatment Supplier's Verifier ID|Prescription Number|Number of Refills Remaining|Number of Refills/Doses Dispensed|D/T of Most Recent Refill or Dose Dispensed|Total Daily Dose|Needs Human Review|Special Dispensing Instructions|Give Per (Time Unit)|Give Rate Amount|Give Rate Units|Give Strength|Give Strength Units|Give Indication|Dispense Package Size|Dispense Package Size Unit|Dispense Package Method|Supplementary Code|Original Order Date/Time|Give Drug Strength Volume|Give Drug Strength Volume Units|Controlled Substance Schedule|Formulary Status|Pharmaceutical Substance Alternative|Pharmacy of Most Recent Fill|Initial Dispense Amount|Dispensing Pharmacy|Dispensing Pharmacy Address|Deliver-to Patient Location|Deliver-to Address|Pharmacy Order Type|Pharmacy Phone Number",
  ),
  RXR: named(
    'Pharmacy/Treatment Route',
    'Route|Administration Site|Administration Device|Administration Method|Routing Instruction|Administration Site Modifier',
  ),
  RXC: named(
    'Pharmacy/Treatment Component Order',
    'RX Component Type|Component Code|Component Amount|Component Units|Component Strength|Component Strength Units|Supplementary Code|Component Drug Strength Volume|Component Drug Strength Volume Units',
  ),
  RXA: named(
    'Pharmacy/Treatment Administration',
    'Give Sub-ID Counter|Administration Sub-ID Counter|Date/Time Start of Administration|Date/Time End of Administration|Administered Code|Administered Amount|Administered Units|Administered Dosage Form|Administration Notes|Administering Provider|Administered-at Location|Administered Per (Time Unit)|Administered Strength|Administered Strength Units|Substance Lot Number|Substance Expiration Date|Substance Manufacturer Name|Substance/Treatment Refusal Reason|Indication|Completion Status|Action Code - RXA|System Entry Date/Time|Administered Drug Strength Volume|Administered Drug Strength Volume Units|Administered Barcode Identifier|Pharmacy Order Type|Administer-at|Administered-at Address',
  ),
  TXA: named(
    'Transcription Document Header',
    'Set ID - TXA|Document Type|Document Content Presentation|Activity Date/Time|Primary Activity Provider Code/Name|Origination Date/Time|Transcription Date/Time|Edit Date/Time|Originator Code/Name|Assigned Document Authenticator|Transcriptionist Code/Name|Unique Document Number|Parent Document Number|Placer Order Number|Filler Order Number|Unique Document File Name|Document Completion Status|Document Confidentiality Status|Document Availability Status|Document Storage Status|Document Change Reason|Authentication Person, Time Stamp|Distributed Copies|Folder Assignment|Document Title|Agreed Due Date/Time|Creating Facility|Creating Specialty',
  ),
  CON: named(
    'Consent Segment',
    'Set ID - CON|Consent Type|Consent Form ID and Version|Consent Form Number|Consent Text|Subject-specific Consent Text|Consent Background Information|Subject-specific Consent Background Text|Consenter-imposed Limitations|Consent Mode|Consent Status',
  ),
}
