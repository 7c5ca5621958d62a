import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../step.ts'

/** A third-party package in the binary or in the portal. */
export interface Package {
  readonly name: string
  readonly version: string
  /** Its license as an SPDX expression. */
  readonly license: string
  /** Where it is installed, or another version of it; null if neither is. */
  readonly folder: string | null
}

/** What is needed of a `package.json`. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The folder of the package of a module, and the name of the package. */
const PACKAGE_FOLDER = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//

/**
 * Packages whose published file contains other packages. Its source map lists the modules of these: those of other repositories in a
 * folder that is named after package and version, its own and those of its repository by relative paths.
 */
const PREBUILT: Readonly<Record<string, { readonly file: string; readonly scope: string }>> = {
  '@scalar/api-reference': { file: 'dist/browser/standalone.js', scope: '@scalar' },
}

/** A module of another repository in a source map, such as `.pnpm/zod@4.4.3/node_modules/zod/v4/core/util.js`. */
const FOREIGN_MODULE = /\/\.pnpm\/@?[^@/]+@([^/_(]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//
/** A module of another package of the same repository, such as `../../../types/dist/index.js`. */
const SIBLING_MODULE = /^(?:\.\.\/)+([\w-]+)\/dist\//

/**
 * Lists the packages that modules belong to, ordered by name.
 * @param modules absolute paths; those outside of node_modules are Reeve's own
 */
export function listPackages(modules: Iterable<string>): Package[] {
  const packages = new Map<string, Package>()
  for (const module of modules) {
    const [, folder, name] = PACKAGE_FOLDER.exec(module) ?? []
    if (folder === undefined || name === undefined || packages.has(folder)) continue
    packages.set(folder, readPackage(folder))
    const prebuilt = PREBUILT[name]
    if (!prebuilt || module !== join(folder, prebuilt.file)) continue
    for (const contained of listPrebuilt(`${module}.map`, prebuilt.scope))
      packages.set(`${contained.name}@${contained.version}`, contained)
  }
  const byId = new Map([...packages.values()].map((found) => [getId(found), found]))
  return [...byId].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found)
}

export const getId = ({ name, version }: Package): string => `${name}@${version}`

/** @throws Error if the package declares no license as an SPDX expression */
function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest
  if (typeof license !== 'string' || /^(UNLICENSED|SEE LICENSE)/.test(license))
    throw new Error(`${name}@${version} declares no license. Find out what it is before you release it.`)
  return { name, version, license, folder }
}

/** Lists the packages that a published file was built from. */
function listPrebuilt(sourceMap: string, scope: string): Package[] {
  const { sources } = JSON.parse(readFileSync(sourceMap, 'utf8')) as { readonly sources: readonly string[] }
  const found = new Map<string, Package>()
  for (const source of sources) {
    const [, version, foreign] = FOREIGN_MODULE.exec(source) ?? []
    const sibling = SIBLING_MODULE.exec(source)?.[1]
    const name = foreign ?? (sibling === undefined ? undefined : `${scope}/${sibling}`)
    if (name === undefined || found.has(`${name}@${version}`)) continue
    found.set(`${name}@${version}`, describeContained(name, version))
  }
  return [...found.values()]
}

/** Packages that are contained in a published file, but installed in no version, with their licenses. */
const NOT_INSTALLED: Readonly<Record<string, string>> = { 'unist-util-find-after': 'MIT' }

/** Describes a package after the installed version that is closest: the same one, or else any. */
function describeContained(name: string, version: string | undefined): Package {
  const folder = findInstalled(name, version)
  if (folder !== null) {
    const installed = readPackage(folder)
    return { ...installed, version: version ?? installed.version }
  }
  const license = NOT_INSTALLED[name]
  if (license === undefined || version === undefined)
    throw new Error(
      `${name}${version === undefined ? '' : `@${version}`} is built into another package and not installed. Add its license to NOT_INSTALLED in scripts/release/packages.ts, and its text to release/licenses.`,
    )
  return { name, version, license, folder: null }
}

/** The installed packages: their folders are named after name, version and a hash. */
const STORE = join(ROOT, 'node_modules/.bun')
const storeFolders = existsSync(STORE) ? readdirSync(STORE).sort() : []

function findInstalled(name: string, version: string | undefined): string | null {
  const prefix = `${name.replace('/', '+')}@`
  const candidates = storeFolders.filter((folder) => folder.startsWith(prefix))
  const isSame = (folder: string) => folder.slice(prefix.length).replace(/\+.*/, '') === version
  const folder = candidates.find(isSame) ?? candidates.at(-1)
  return folder === undefined ? null : join(STORE, folder, 'node_modules', name)
}
