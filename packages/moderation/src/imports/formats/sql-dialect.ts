/** How a dump writes texts. */
export interface SqlDialect {
  /** Whether a backslash in a text is an escape, as in MySQL and MariaDB. In standard SQL it is a character like any other. */
  readonly hasBackslashEscapes: boolean
}

export const STANDARD_SQL: SqlDialect = { hasBackslashEscapes: false }

/** How much of a comment or a statement is examined, in characters. */
export const EXAMINED_CHARACTERS = 300

/** Settings that decide about backslashes, wherever they are. */
const STANDARD_STRINGS = /^SET\s+(?:SESSION\s+)?standard_conforming_strings\s*(?:=|TO)\s*'?(on|off)/i
const NO_BACKSLASH_ESCAPES = /^(?:\/\*!\d*\s*)?SET\b[^;]*NO_BACKSLASH_ESCAPES/i

const MYSQL =
  /^(?:\/\*!|(?:--|#).*\b(?:MySQL|MariaDB|phpMyAdmin|HeidiSQL)\b|LOCK\s+TABLES|SET\s+(?:@|FOREIGN_KEY_CHECKS|SQL_MODE|AUTOCOMMIT|time_zone)|(?:INSERT|REPLACE|CREATE|DROP|ALTER)\b[^'"(]*`)/i
const STANDARD = new RegExp(
  [
    // PostgreSQL
    String.raw`--\s*PostgreSQL|SET\s+(?:statement_timeout|lock_timeout|client_encoding|search_path)|SELECT\s+pg_catalog\.`,
    // SQLite
    String.raw`PRAGMA\b|BEGIN\s+TRANSACTION`,
    // H2
    String.raw`--\s*H2\b|--\s*\d+\s*\+/-\s*SELECT|CREATE\s+USER\s+IF\s+NOT\s+EXISTS|CREATE\s+(?:CACHED|MEMORY)\s+TABLE`,
    String.raw`(?:INSERT\s+INTO|(?:CREATE|DROP|ALTER)\s+TABLE(?:\s+IF(?:\s+NOT)?\s+EXISTS)?)\s+(?:"|public\.)`,
  ].join('|'),
  'iy',
)

/**
 * Detects from comments and statements which tool wrote a dump. Without a sign, backslashes are escapes, because the tools that Reeve imports from run
 * on MySQL first.
 */
export function createDialectDetector() {
  let detected: boolean | null = null
  return {
    get hasBackslashEscapes(): boolean {
      return detected ?? true
    },
    /** @param start the beginning of a comment or a statement */
    examine(start: string): void {
      const [, setting] = STANDARD_STRINGS.exec(start) ?? []
      if (setting !== undefined) detected = setting.toLowerCase() === 'off'
      else if (NO_BACKSLASH_ESCAPES.test(start)) detected = false
      // The first sign counts: MySQL can write names as standard SQL does.
      else if (detected === null && MYSQL.test(start)) detected = true
      else if (detected === null) {
        STANDARD.lastIndex = 0
        if (STANDARD.test(start)) detected = false
      }
    },
  }
}
