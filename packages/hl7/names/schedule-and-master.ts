import { named, type SegmentNames } from './segment-names.ts'

/** Appointments (chapter 10) and master files (chapters 8 and 15). */
export const scheduleAndMasterSegments: Readonly<Record<string, SegmentNames>> = {
  SCH: named(
    'Scheduling Activity Information',
    'Placer Appointment ID|Filler Appointment ID|Occurrence Number|Placer Group Number|Schedule ID|Event Reason|Appointment Reason|Appointment Type|Appointment Duration|Appointment Duration Units|Appointment Timing Quantity|Placer Contact Person|Placer Contact Phone Number|Placer Contact Address|Placer Contact Location|Filler Contact Person|Filler Contact Phone Number|Filler Contact Address|Filler Contact Location|Entered By Person|Entered By Phone Number|Entered By Location|Parent Placer Appointment ID|Parent Filler Appointment ID|Filler Status Code|Placer Order Number|Filler Order Number|Alternate Placer Order Group Number',
  ),
  RGS: named('Resource Group', 'Set ID - RGS|Segment Action Code|Resource Group ID'),
  AIS: named(
    'Appointment Information - Service',
    'Set ID - AIS|Segment Action Code|Universal Service Identifier|Start Date/Time|Start Date/Time Offset|Start Date/Time Offset Units|Duration|Duration Units|Allow Substitution Code|Filler Status Code|Placer Supplemental Service Information|Filler Supplemental Service Information',
  ),
  AIG: named(
    'Appointment Information - General Resource',
    'Set ID - AIG|Segment Action Code|Resource ID|Resource Type|Resource Group|Resource Quantity|Resource Quantity Units|Start Date/Time|Start Date/Time Offset|Start Date/Time Offset Units|Duration|Duration Units|Allow Substitution Code|Filler Status Code',
  ),
  AIL: named(
    'Appointment Information - Location Resource',
    'Set ID - AIL|Segment Action Code|Location Resource ID|Location Type - AIL|Location Group|Start Date/Time|Start Date/Time Offset|Start Date/Time Offset Units|Duration|Duration Units|Allow Substitution Code|Filler Status Code',
  ),
  AIP: named(
    'Appointment Information - Personnel Resource',
    'Set ID - AIP|Segment Action Code|Personnel Resource ID|Resource Type|Resource Group|Start Date/Time|Start Date/Time Offset|Start Date/Time Offset Units|Duration|Duration Units|Allow Substitution Code|Filler Status Code',
  ),
  MFI: named(
    'Master File Identification',
    'Master File Identifier|Master File Application Identifier|File-Level Event Code|Entered Date/Time|Effective Date/Time|Response Level Code',
  ),
  MFE: named(
    'Master File Entry',
    'Record-Level Event Code|MFN Control ID|Effective Date/Time|Primary Key Value - MFE|Primary Key Value Type|Entered Date/Time|Entered By',
  ),
  MFA: named(
    'Master File Acknowledgment',
    'Record-Level Event Code|MFN Control ID|Event Completion Date/Time|MFN Record Level Error Return|Primary Key Value - MFA|Primary Key Value Type - MFA',
  ),
  STF: named(
    'Staff Identification',
    "Primary Key Value - STF|Staff Identifier List|Staff Name|Staff Type|Administrative Sex|Date/Time of Birth|Active/Inactive Flag|Department|Hospital Service|Phone|Office/Home Address/Birthplace|Institution Activation Date|Institution Inactivation Date|Backup Person ID|E-mail Address|Preferred Method of Contact|Marital Status|Job Title|Job Code/Class|Employment Status Code|Additional Insured on Auto|Driver's License Number - Staff|Copy Auto Ins|Auto Ins Expires|Date Last DMV Review|Date Next DMV Review|Race|Ethnic Group|Re-activation Approval Indicator|Citizenship|Date/Time of Death|Death Indicator|Institution Relationship Type Code|Institution Relationship Period|Expected Return Date|Cost Center Code|Generic Classification Indicator|Inactive Reason Code",
  ),
  PRA: named(
    'Practitioner Detail',
    'Primary Key Value - PRA|Practitioner Group|Practitioner Category|Provider Billing|Specialty|Practitioner ID Numbers|Privileges|Date Entered Practice|Institution|Date Left Practice|Government Reimbursement Billing Eligibility|Set ID - PRA',
  ),
  ORG: named(
    'Practitioner Organization Unit',
    'Set ID - ORG|Organization Unit Code|Organization Unit Type Code|Primary Org Unit Indicator|Practitioner Org Unit Identifier|Health Care Provider Type Code|Health Care Provider Classification Code|Health Care Provider Area of Specialization Code|Effective Date Range|Employment Status Code|Board Approval Indicator|Primary Care Physician Indicator|Cost Center Code',
  ),
  AFF: named(
    'Professional Affiliation',
    'Set ID - AFF|Professional Organization|Professional Organization Address|Professional Organization Affiliation Date Range|Professional Affiliation Additional Information',
  ),
  LAN: named('Language Detail', 'Set ID - LAN|Language Code|Language Ability Code|Language Proficiency Code'),
  EDU: named(
    'Educational Detail',
    'Set ID - EDU|Academic Degree|Academic Degree Program Date Range|Academic Degree Program Participation Date Range|Academic Degree Granted Date|School|School Type Code|School Address|Major Field of Study',
  ),
  LOC: named(
    'Location Identification',
    'Primary Key Value - LOC|Location Description|Location Type - LOC|Organization Name - LOC|Location Address|Location Phone|License Number|Location Equipment|Location Service Code',
  ),
  LCH: named(
    'Location Characteristic',
    'Primary Key Value - LCH|Segment Action Code|Segment Unique Key|Location Characteristic ID|Location Characteristic Value - LCH',
  ),
  LRL: named(
    'Location Relationship',
    'Primary Key Value - LRL|Segment Action Code|Segment Unique Key|Location Relationship ID|Organizational Location Relationship Value|Patient Location Relationship Value',
  ),
  LDP: named(
    'Location Department',
    'Primary Key Value - LDP|Location Department|Location Service|Specialty Type|Valid Patient Classes|Active/Inactive Flag|Activation Date - LDP|Inactivation Date - LDP|Inactivated Reason|Visiting Hours|Contact Phone|Location Cost Center',
  ),
  LCC: named('Location Charge Code', 'Primary Key Value - LCC|Location Department|Accommodation Type|Charge Code'),
}
