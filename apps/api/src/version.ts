/** The version of the program. */
export const VERSION = '0.1.0'

/** The version of the public API, independent of the program's version. */
export const API_VERSION = '1.0.0'
