/** What a client id may be where others are asked about it: the signs that a reference to it, `Device/<id>`, can hold. */
export const clientIdPattern = /^[A-Za-z0-9._~:@-]{1,128}$/
