/** `20261115083000+0000`. */
export const hl7Time = (at: Date): string => `${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}+0000`
