import { hash } from 'node:crypto'
import { keyFrom, openWith, sealWith } from '../keys/sealed-box.ts'

/** What is stored in place of an unguessable secret, to find its row by. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'base64url')

/** Seals a text with a key that follows from a secret which only the browser holds, of 256 bits of chance. */
export const seal = (text: string, secret: string): string => sealWith(keyFrom(secret, purpose), text)

export const unseal = (sealed: string, secret: string): string => openWith(keyFrom(secret, purpose), sealed)

const purpose = 'corridor sign-in'
