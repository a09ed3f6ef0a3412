import { hash } from 'node:crypto'

/** RFC 7636 section 4.1: 43 to 128 of the unreserved characters. */
export const isVerifier = (text: string): boolean => /^[A-Za-z0-9\-._~]{43,128}$/.test(text)

/** What S256 makes of a verifier. */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url')

/** 256 bits in base64url, neither shorter nor padded. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)
