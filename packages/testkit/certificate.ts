export * from '../keys/certificate.ts'
