import { readFileSync, statSync } from 'node:fs'
import { rejectValue, type Setting } from './setting.ts'

/** Far above any secret. Prevents reading a large file that was named by mistake. */
const MAX_BYTES = 64 * 1024

/** The variable that names a file with the value of a secret; null for settings that are not secret. */
export const getFileVariable = ({ env, isSecret }: Pick<Setting<unknown>, 'env' | 'isSecret'>) =>
  isSecret ? `${env}_FILE` : null

/**
 * Reads a secret from a file, as Docker, Kubernetes and systemd provide them. White space around it does not count.
 * @throws WireError whose message follows the name of the variable
 */
export function readSecretFile(path: string): string {
  const text = readSmallFile(path).trim()
  return text === '' ? rejectValue(`names an empty file: ${path}. Write the value to the file`) : text
}

const FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'names a file that does not exist. Create it, or correct the path',
  EISDIR: 'names a folder instead of a file. Correct the path',
}

function readSmallFile(path: string): string {
  try {
    if (statSync(path).size <= MAX_BYTES) return readFileSync(path, 'utf8')
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    const cause =
      FAILURES[code] ?? `names a file that this user cannot read (${code}). Change its owner or mode`
    return rejectValue(`${cause}: ${path}`)
  }
  return rejectValue(
    `names a file larger than ${MAX_BYTES / 1024} KiB: ${path}. It must contain only the value`,
  )
}
