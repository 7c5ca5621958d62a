import { BASE32_ALPHABET, type Ports } from '@reeve/core'

const GROUP_PATTERN = /.{4}(?=.)/g

/** Generates a code that people type: 5 random bits per character, in groups of four: `7K3M-Q9TX-2ZBD`. */
export function generateCode(ports: Pick<Ports, 'randomBytes'>, length: number): string {
  const letters = [...ports.randomBytes(length)].map((byte) => BASE32_ALPHABET[byte % BASE32_ALPHABET.length])
  return letters.join('').replace(GROUP_PATTERN, '$&-')
}
