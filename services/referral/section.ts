import { httpSection } from '../../packages/service/http-section.ts'

export const referralSection = httpSection('referral', 'referral service', 8083)
