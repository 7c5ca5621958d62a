/** Crockford's Base32, without letters that look like digits: https://www.crockford.com/base32.html */
export const BASE32_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ignores case, spaces and dashes, and reads I, L and O as the digits they look like. */
export const normalizeBase32 = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[\s\u2010-\u2015-]/g, '')
    .replace(/[IL]/g, '1')
    .replaceAll('O', '0')
