import { readFileSync } from 'node:fs'

/** The content of a file with replaced texts. @throws Error if a text is not in the file */
export function replaceTexts(file: string, replacements: Readonly<Record<string, string>>): string {
  let content = readFileSync(file, 'utf8')
  for (const [text, replacement] of Object.entries(replacements)) {
    if (!content.includes(text)) throw new Error(`${file} does not contain ${text}`)
    content = content.replaceAll(text, replacement)
  }
  return content
}
