import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getId, type Package } from './packages.ts'
import { RELEASE_FOLDER } from './targets.ts'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i
/** The section at the end of a README that contains a license. */
const README_SECTION = /^#+ *licen[cs]e\b.*\n+([\s\S]*Permission is hereby granted[\s\S]*)$/im

/** The texts of packages that contain none. */
const TEXTS = join(RELEASE_FOLDER, 'licenses')

/**
 * Finds the license of a package: its own files, the section of its README, or a text in `release/licenses` that is named after
 * the package or its scope.
 * @throws Error that names the package if there is no text
 */
export function readLicense(found: Package): string {
  const text = readOwnLicense(found) ?? readStoredLicense(found)
  if (text === null)
    throw new Error(
      `${getId(found)} contains no license text. Add the one of its repository as release/licenses/${toFileName(found.name)}.`,
    )
  return text
}

const toFileName = (name: string): string => `${name.replace('@', '').replace('/', '-')}.txt`

function readOwnLicense({ folder }: Package): string | null {
  if (folder === null) return null
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name }) => name)
    .sort()
  const own = files.filter((name) => LICENSE_FILE.test(name))
  if (own.length > 0) return own.map((name) => readText(join(folder, name))).join('\n\n')
  const readme = files.find((name) => /^readme/i.test(name))
  return (readme && README_SECTION.exec(readText(join(folder, readme)))?.[1]?.trim()) || null
}

function readStoredLicense({ name }: Package): string | null {
  const [scope = ''] = name.split('/')
  const path = [name, scope].map((one) => join(TEXTS, toFileName(one))).find((one) => existsSync(one))
  return path === undefined ? null : readText(path)
}

const readText = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim()

const RULE = '='.repeat(80)

/** Renders the licenses of packages and of the runtime; packages with the same text share it. */
export function renderLicenses(packages: readonly Package[], bunVersion: string): string {
  const packagesByText = new Map<string, Package[]>()
  for (const found of packages) {
    const text = readLicense(found)
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), found])
  }
  const sections = [...packagesByText].map(([text, sharing]) =>
    renderSection(
      sharing.map((found) => `${getId(found)} (${found.license})`),
      text,
    ),
  )
  const bunTexts = ['bun.md', 'LGPL-2.0.txt', 'LGPL-2.1.txt', 'Apache-2.0.txt'].map((name) =>
    readText(join(TEXTS, name)),
  )
  const bun = renderSection([`bun@${bunVersion}, the runtime`], bunTexts.join(`\n\n${'-'.repeat(80)}\n\n`))
  return `Reeve contains the following third-party software.\n\n${[bun, ...sections].join('\n')}`
}

const renderSection = (titles: readonly string[], text: string): string =>
  `${RULE}\n${titles.join('\n')}\n${RULE}\n\n${text}\n`
