/** Codes of appeals in responses. They are random, so a copy of a ban has another one. */
export const APPEAL_CODES = /\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\b/g
