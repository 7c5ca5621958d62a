import type { ParsedItem } from './formats/format.ts'

/** Stands for bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = '\ufffd'
/** The lines that are named. */
const MAX_LINES = 10

/** Collects the entries of a file in whose texts bytes were not UTF-8. */
export function createDamagedTexts() {
  const lines: number[] = []
  let count = 0
  return {
    add(item: ParsedItem): void {
      if (!JSON.stringify(item).includes(REPLACEMENT_CHARACTER)) return
      count += 1
      if (lines.length < MAX_LINES) lines.push(item.line)
    },

    /** What to do about them; null without any. */
    describe(): string | null {
      if (count === 0) return null
      const entries = count === 1 ? 'entry has' : 'entries have'
      const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${count > lines.length ? ' and others' : ''}`
      return `${count} ${entries} characters that are not UTF-8, which arrive as ${REPLACEMENT_CHARACTER}: ${where}. Save the file as UTF-8, in Excel as “CSV UTF-8”, before you import it.`
    },
  }
}
