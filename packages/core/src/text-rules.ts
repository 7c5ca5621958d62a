/** The form of a name that is compared for uniqueness: NFKC, lower case. */
export const normalizeName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** Length limits of a password, in characters. */
export const PASSWORD_MIN_LENGTH = 10
export const PASSWORD_MAX_LENGTH = 200
