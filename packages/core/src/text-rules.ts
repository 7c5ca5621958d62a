/** The form of a name that is compared for uniqueness: NFKC, lower case. */
export const normalizeName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The form of a text in which a search compares it: without case and accents. */
export const normalizeForSearch = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Length limits of a password, in characters. */
export const PASSWORD_MIN_LENGTH = 10
export const PASSWORD_MAX_LENGTH = 200
