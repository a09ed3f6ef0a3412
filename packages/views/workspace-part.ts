/** What the workspace consists of: each a tab of every page of it, for those who may use it. */
export type WorkspacePart = 'patients' | 'referrals' | 'consents' | 'console' | 'results' | 'apps'
