import { version } from '../package.json'

/** The version of the program: this package's, which `CHANGELOG.md` describes. */
export const VERSION = version

/** The version of the public API, independent of the program's version. */
export const API_VERSION = '1.0.0'
