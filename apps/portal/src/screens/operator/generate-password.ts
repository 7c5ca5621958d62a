/** Omits characters that look alike, such as 0 and O. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUP_COUNT = 4
const GROUP_LENGTH = 5

/** A random password of over 110 bits, in groups that are easy to read out. */
export function generatePassword(): string {
  const randomCharacter = (): string => {
    const limit = 256 - (256 % ALPHABET.length)
    for (;;) {
      const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
      if (byte < limit) return ALPHABET[byte % ALPHABET.length] ?? ''
    }
  }
  const randomGroup = () => Array.from({ length: GROUP_LENGTH }, randomCharacter).join('')
  return Array.from({ length: GROUP_COUNT }, randomGroup).join('-')
}
