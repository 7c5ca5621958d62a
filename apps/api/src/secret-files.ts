import { readFileSync, statSync } from 'node:fs'
import { rejectValue, type Setting } from './setting.ts'

/** Far above any secret. Prevents reading a large file that was named by mistake. */
const MAX_BYTES = 64 * 1024

/** The variable that names a file with the value of a secret; null for settings that are not secret. */
export const getFileVariable = ({ env, isSecret }: Pick<Setting<unknown>, 'env' | 'isSecret'>) =>
  isSecret ? `${env}_FILE` : null

/** The placeholder of secrets in the examples, alone or as the password in a URL: with it, an instance would be open to everyone. */
const EXAMPLE_SECRET = /(^|:)change-?me/i

/** @throws WireError */
export function assertNotExample(text: string): void {
  if (EXAMPLE_SECRET.test(text))
    rejectValue(
      'is still the placeholder of the example. Generate a secret, for example with `openssl rand -hex 32`',
    )
}

/** Where the value of a setting comes from: the name of its flag or variable, and its text. */
export interface SettingSource {
  readonly name: string
  /** @throws WireError whose message follows the name */
  readonly readText: () => string
}

/** The variable of a setting, or for secrets the one that names a file. */
export function findVariable(
  setting: Pick<Setting<unknown>, 'env' | 'isSecret' | 'fallback'>,
  env: Readonly<Record<string, string | undefined>>,
): SettingSource {
  const text = env[setting.env] ?? ''
  const fileVariable = getFileVariable(setting)
  const path = fileVariable === null ? '' : (env[fileVariable]?.trim() ?? '')
  if (fileVariable === null || path === '')
    return { name: setting.env, readText: () => text || setting.fallback }
  return {
    name: fileVariable,
    readText: () =>
      text.trim() === ''
        ? readSecretFile(path)
        : rejectValue(`and ${setting.env} are both set; set only one`),
  }
}

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
