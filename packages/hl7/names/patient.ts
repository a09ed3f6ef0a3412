import { named, type SegmentNames } from './segment-names.ts'

/** Patients, visits and what goes with them (chapter 3). */
export const patientSegments: Readonly<Record<string, SegmentNames>> = {
  PID: named(
    'Patient Identification',
    "Set ID - PID|Patient ID|Patient Identifier List|Alternate Patient ID|Patient Name|Mother's Maiden Name|Date/Time of Birth|Administrative Sex|Patient Alias|Race|Patient Address|County Code|Phone Number - Home|Phone Number - Business|Primary Language|Marital Status|Religion|Patient Account Number|SSN Number - Patient|Driver's License Number - Patient|Mother's Identifier|Ethnic Group|Birth Place|Multiple Birth Indicator|Birth Order|Citizenship|Veterans Military Status|Nationality|Patient Death Date and Time|Patient Death Indicator|Identity Unknown Indicator|Identity Reliability Code|Last Update Date/Time|Last Update Facility|Taxonomic Classification Code|Breed Code|Strain|Production Class Code|Tribal Citizenship|Patient Telecommunication Information",
  ),
  PD1: named(
    'Patient Additional Demographic',
    'Living Dependency|Living Arrangement|Patient Primary Facility|Patient Primary Care Provider Name & ID No.|Student Indicator|Handicap|Living Will Code|Organ Donor Code|Separate Bill|Duplicate Patient|Publicity Code|Protection Indicator|Protection Indicator Effective Date|Place of Worship|Advance Directive Code|Immunization Registry Status|Immunization Registry Status Effective Date|Publicity Code Effective Date|Military Branch|Military Rank/Grade|Military Status|Advance Directive Last Verified Date',
  ),
  NK1: named(
    'Next of Kin / Associated Parties',
    "Set ID - NK1|Name|Relationship|Address|Phone Number|Business Phone Number|Contact Role|Start Date|End Date|Next of Kin/Associated Parties Job Title|Next of Kin/Associated Parties Job Code/Class|Next of Kin/Associated Parties Employee Number|Organization Name - NK1|Marital Status|Administrative Sex|Date/Time of Birth|Living Dependency|Ambulatory Status|Citizenship|Primary Language|Living Arrangement|Publicity Code|Protection Indicator|Student Indicator|Religion|Mother's Maiden Name|Nationality|Ethnic Group|Contact Reason|Contact Person's Name|Contact Person's Telephone Number|Contact Person's Address|Next of Kin/Associated Party's Identifiers|Job Status|Race|Handicap|Contact Person Social Security Number|Next of Kin Birth Place|VIP Indicator|Next of Kin Telecommunication Information|Contact Person's Telecommunication Information",
  ),
  PV1: named(
    'Patient Visit',
    'Set ID - PV1|Patient Class|Assigned Patient Location|Admission Type|Preadmit Number|Prior Patient Location|Attending Doctor|Referring Doctor|Consulting Doctor|Hospital Service|Temporary Location|Preadmit Test Indicator|Re-admission Indicator|Admit Source|Ambulatory Status|VIP Indicator|Admitting Doctor|Patient Type|Visit Number|Financial Class|Charge Price Indicator|Courtesy Code|Credit Rating|Contract Code|Contract Effective Date|Contract Amount|Contract Period|Interest Code|Transfer to Bad Debt Code|Transfer to Bad Debt Date|Bad Debt Agency Code|Bad Debt Transfer Amount|Bad Debt Recovery Amount|Delete Account Indicator|Delete Account Date|Discharge Disposition|Discharged to Location|Diet Type|Servicing Facility|Bed Status|Account Status|Pending Location|Prior Temporary Location|Admit Date/Time|Discharge Date/Time|Current Patient Balance|Total Charges|Total Adjustments|Total Payments|Alternate Visit ID|Visit Indicator|Other Healthcare Provider|Service Episode Description|Service Episode Identifier',
  ),
  PV2: named(
    'Patient Visit - Additional Information',
    'Prior Pending Location|Accommodation Code|Admit Reason|Transfer Reason|Patient Valuables|Patient Valuables Location|Visit User Code|Expected Admit Date/Time|Expected Discharge Date/Time|Estimated Length of Inpatient Stay|Actual Length of Inpatient Stay|Visit Description|Referral Source Code|Previous Service Date|Employment Illness Related Indicator|Purge Status Code|Purge Status Date|Special Program Code|Retention Indicator|Expected Number of Insurance Plans|Visit Publicity Code|Visit Protection Indicator|Clinic Organization Name|Patient Status Code|Visit Priority Code|Previous Treatment Date|Expected Discharge Disposition|Signature on File Date|First Similar Illness Date|Patient Charge Adjustment Code|Recurring Service Code|Billing Media Code|Expected Surgery Date and Time|Military Partnership Code|Military Non-Availability Code|Newborn Baby Indicator|Baby Detained Indicator|Mode of Arrival Code|Recreational Drug Use Code|Admission Level of Care Code|Precaution Code|Patient Condition Code|Living Will Code|Organ Donor Code|Advance Directive Code|Patient Status Effective Date|Expected LOA Return Date/Time|Expected Pre-admission Testing Date/Time|Notify Clergy Code|Advance Directive Last Verified Date',
  ),
  MRG: named(
    'Merge Patient Information',
    'Prior Patient Identifier List|Prior Alternate Patient ID|Prior Patient Account Number|Prior Patient ID|Prior Visit Number|Prior Alternate Visit ID|Prior Patient Name',
  ),
  AL1: named(
    'Patient Allergy Information',
    'Set ID - AL1|Allergen Type Code|Allergen Code/Mnemonic/Description|Allergy Severity Code|Allergy Reaction Code|Identification Date',
  ),
  IAM: named(
    'Patient Adverse Reaction Information',
    'Set ID - IAM|Allergen Type Code|Allergen Code/Mnemonic/Description|Allergy Severity Code|Allergy Reaction Code|Allergy Action Code|Allergy Unique Identifier|Action Reason|Sensitivity to Causative Agent Code|Allergen Group Code/Mnemonic/Description|Onset Date|Onset Date Text|Reported Date/Time|Reported By|Relationship to Patient Code|Alert Device Code|Allergy Clinical Status Code|Statused by Person|Statused by Organization|Statused at Date/Time|Inactivated by Person|Inactivated Date/Time|Initially Recorded by Person|Initially Recorded Date/Time|Modified by Person|Modified Date/Time|Clinician Identified Code|Initially Recorded by Organization|Modified by Organization|Inactivated by Organization',
  ),
  ARV: named(
    'Access Restriction',
    'Set ID|Access Restriction Action Code|Access Restriction Value|Access Restriction Reason|Special Access Restriction Instructions|Access Restriction Date Range',
  ),
  DB1: named(
    'Disability',
    'Set ID - DB1|Disabled Person Code|Disabled Person Identifier|Disability Indicator|Disability Start Date|Disability End Date|Disability Return to Work Date|Disability Unable to Work Date',
  ),
  NPU: named('Bed Status Update', 'Bed Location|Bed Status'),
  PDA: named(
    'Patient Death and Autopsy',
    'Death Cause Code|Death Location|Death Certified Indicator|Death Certificate Signed Date/Time|Death Certified By|Autopsy Indicator|Autopsy Start and End Date/Time|Autopsy Performed By|Coroner Indicator',
  ),
  ROL: named(
    'Role',
    "Role Instance ID|Action Code|Role-ROL|Role Person|Role Begin Date/Time|Role End Date/Time|Role Duration|Role Action Reason|Provider Type|Organization Unit Type|Office/Home Address/Birthplace|Phone|Person's Location|Organization",
  ),
  PRT: named(
    'Participation Information',
    'Participation Instance ID|Action Code|Action Reason|Participation|Participation Person|Participation Person Provider Type|Participant Organization Unit Type|Participation Organization|Participant Location|Participation Device|Participation Begin Date/Time|Participation End Date/Time|Participation Qualitative Duration|Participation Address|Participant Telecommunication Address|Participant Device Identifier|Participant Device Manufacture Date|Participant Device Expiry Date|Participant Device Lot Number|Participant Device Serial Number',
  ),
}
