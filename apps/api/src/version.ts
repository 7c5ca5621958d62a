import { version } from '../package.json'

/** The version of the program: this package's, which `CHANGELOG.md` describes. */
export const VERSION = version

/** The version of the public API, independent of the program's version. */
export const API_VERSION = '1.0.0'

/** Inserted by the build; not declared when the program runs from source. */
declare const BUILD_COMMIT: string
declare const BUILD_TIME: string

/** What the program was built from: the commit, and its time in UTC; null when it runs from source. */
export const BUILD: { readonly commit: string; readonly time: string } | null =
  typeof BUILD_COMMIT === 'string' ? { commit: BUILD_COMMIT, time: BUILD_TIME } : null

/** The version with the commit and the time of the build, as `--version` prints it. */
export const describeBuild = (): string =>
  BUILD === null ? `${VERSION} (from source)` : `${VERSION} (commit ${BUILD.commit}, built ${BUILD.time})`
