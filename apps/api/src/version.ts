/** The version of the program; that of the interface is in `openapi.ts`. */
export const VERSION = '0.1.0'
