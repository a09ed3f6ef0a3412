import { named, type SegmentNames } from './segment-names.ts'

/** Diagnoses, procedures, insurance and charges (chapter 6). */
export const financeSegments: Readonly<Record<string, SegmentNames>> = {
  DG1: named(
    'Diagnosis',
    'Set ID - DG1|Diagnosis Coding Method|Diagnosis Code - DG1|Diagnosis Description|Diagnosis Date/Time|Diagnosis Type|Major Diagnostic Category|Diagnostic Related Group|DRG Approval Indicator|DRG Grouper Review Code|Outlier Type|Outlier Days|Outlier Cost|Grouper Version and Type|Diagnosis Priority|Diagnosing Clinician|Diagnosis Classification|Confidential Indicator|Attestation Date/Time|Diagnosis Identifier|Diagnosis Action Code|Parent Diagnosis|DRG CCL Value Code|DRG Grouping Usage|DRG Diagnosis Determination Status|Present On Admission Indicator',
  ),
  DRG: named(
    'Diagnosis Related Group',
    'Diagnostic Related Group|DRG Assigned Date/Time|DRG Approval Indicator|DRG Grouper Review Code|Outlier Type|Outlier Days|Outlier Cost|DRG Payor|Outlier Reimbursement|Confidential Indicator|DRG Transfer Type',
  ),
  PR1: named(
    'Procedures',
    'Set ID - PR1|Procedure Coding Method|Procedure Code|Procedure Description|Procedure Date/Time|Procedure Functional Type|Procedure Minutes|Anesthesiologist|Anesthesia Code|Anesthesia Minutes|Surgeon|Procedure Practitioner|Consent Code|Procedure Priority|Associated Diagnosis Code|Procedure Code Modifier|Procedure DRG Type|Tissue Type Code|Procedure Identifier|Procedure Action Code|DRG Procedure Determination Status|DRG Procedure Relevance|Treating Organizational Unit|Respiratory Within Surgery|Parent Procedure ID',
  ),
  GT1: named(
    'Guarantor',
    "Set ID - GT1|Guarantor Number|Guarantor Name|Guarantor Spouse Name|Guarantor Address|Guarantor Phone Number - Home|Guarantor Phone Number - Business|Guarantor Date/Time of Birth|Guarantor Administrative Sex|Guarantor Type|Guarantor Relationship|Guarantor SSN|Guarantor Date - Begin|Guarantor Date - End|Guarantor Priority|Guarantor Employer Name|Guarantor Employer Address|Guarantor Employer Phone Number|Guarantor Employee ID Number|Guarantor Employment Status|Guarantor Organization Name|Guarantor Billing Hold Flag|Guarantor Credit Rating Code|Guarantor Death Date and Time|Guarantor Death Flag|Guarantor Charge Adjustment Code|Guarantor Household Annual Income|Guarantor Household Size|Guarantor Employer ID Number|Guarantor Marital Status Code|Guarantor Hire Effective Date|Employment Stop Date|Living Dependency|Ambulatory Status|Citizenship|Primary Language|Living Arrangement|Publicity Code|Protection Indicator|Student Indicator|Religion|Mother's Maiden Name|Nationality|Ethnic Group",
  ),
  IN1: named(
    'Insurance',
    "Set ID - IN1|Health Plan ID|Insurance Company ID|Insurance Company Name|Insurance Company Address|Insurance Co Contact Person|Insurance Co Phone Number|Group Number|Group Name|Insured's Group Emp ID|Insured's Group Emp Name|Plan Effective Date|Plan Expiration Date|Authorization Information|Plan Type|Name Of Insured|Insured's Relationship To Patient|Insured's Date Of Birth|Insured's Address|Assignment Of Benefits|Coordination Of Benefits|Coord Of Ben. Priority|Notice Of Admission Flag|Notice Of Admission Date|Report Of Eligibility Flag|Report Of Eligibility Date|Release Information Code|Pre-Admit Cert (PAC)|Verification Date/Time|Verification By|Type Of Agreement Code|Billing Status|Lifetime Reserve Days|Delay Before L.R. Day|Company Plan Code|Policy Number|Policy Deductible|Policy Limit - Amount|Policy Limit - Days|Room Rate - Semi-Private|Room Rate - Private|Insured's Employment Status|Insured's Administrative Sex|Insured's Employer's Address|Verification Status|Prior Insurance Plan ID|Coverage Type|Handicap|Insured's ID Number|Signature Code|Signature Code Date|Insured's Birth Place|VIP Indicator|External Health Plan Identifiers|Insurance Action Code",
  ),
  IN3: named(
    'Insurance Additional Information, Certification',
    'Set ID - IN3|Certification Number|Certified By|Certification Required|Penalty|Certification Date/Time|Certification Modify Date/Time|Operator|Certification Begin Date|Certification End Date|Days|Non-Concur Code/Description|Non-Concur Effective Date/Time|Physician Reviewer|Certification Contact|Certification Contact Phone Number|Appeal Reason|Certification Agency|Certification Agency Phone Number|Pre-Certification Requirement|Case Manager|Second Opinion Date|Second Opinion Status|Second Opinion Documentation Received|Second Opinion Physician',
  ),
  ACC: named(
    'Accident',
    'Accident Date/Time|Accident Code|Accident Location|Auto Accident State|Accident Job Related Indicator|Accident Death Indicator|Entered By|Accident Description|Brought In By|Police Notified Indicator|Accident Address',
  ),
  FT1: named(
    'Financial Transaction',
    'Set ID - FT1|Transaction ID|Transaction Batch ID|Transaction Date|Transaction Posting Date|Transaction Type|Transaction Code|Transaction Description|Transaction Description - Alt|Transaction Quantity|Transaction Amount - Extended|Transaction Amount - Unit|Department Code|Health Plan ID|Insurance Amount|Assigned Patient Location|Fee Schedule|Patient Type|Diagnosis Code - FT1|Performed By Code|Ordered By Code|Unit Cost|Filler Order Number|Entered By Code|Procedure Code|Procedure Code Modifier',
  ),
  BLG: named('Billing', 'When to Charge|Charge Type|Account ID|Charge Type Reason'),
}
