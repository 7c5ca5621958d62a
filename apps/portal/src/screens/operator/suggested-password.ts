/** Without those that are taken for one another when they are read out. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP = 5

/** A password that nobody guesses, in groups that can be read out: over 110 bits. */
export function suggestedPassword(): string {
  const letter = (): string => {
    const limit = 256 - (256 % LETTERS.length)
    for (;;) {
      const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
      if (byte < limit) return LETTERS[byte % LETTERS.length] ?? ''
    }
  }
  const group = () => Array.from({ length: GROUP }, letter).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
