import { join } from 'node:path'
import { ROOT } from './step.ts'
import { type RetiredTerm, retiredFiles, retiredNames, retiredPhrases } from './wording-terms.ts'

/** Files that must quote retired terms. */
const EXEMPT = new Set(['scripts/wording.ts', 'scripts/wording-terms.ts', 'bun.lock'])

interface Finding {
  readonly file: string
  /** Counted from 1; 0 for the name of the file. */
  readonly line: number
  readonly found: string
  readonly use: string
}

/** The tracked files, and new ones that git does not ignore. */
async function listFiles(): Promise<string[]> {
  const output = await Bun.$`git ls-files --cached --others --exclude-standard`.cwd(ROOT).quiet().text()
  return output.split('\n').filter((file) => file !== '' && !EXEMPT.has(file))
}

/**
 * Blanks comments and the content of strings, so that identifiers remain. Expressions inside template literals are blanked
 * too: a retired name is declared somewhere else first.
 */
function stripCommentsAndStrings(code: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  return code.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    blank,
  )
}

function findTerms(file: string, text: string, terms: readonly RetiredTerm[]): Finding[] {
  const lines = text.split('\n')
  return terms.flatMap(({ term, use, within }) =>
    within !== undefined && !within.test(file)
      ? []
      : lines.flatMap((line, index) => {
          const match = term.exec(line)
          return match === null ? [] : [{ file, line: index + 1, found: match[0].trim(), use }]
        }),
  )
}

/** Checks one file: its name, its identifiers if it is code, and its sentences. */
async function checkFile(file: string): Promise<Finding[]> {
  const named = retiredFiles
    .filter(({ term }) => term.test(file))
    .map(({ use }) => ({ file, line: 0, found: file, use }))
  const isCode = /\.tsx?$/.test(file)
  if (!isCode && !/\.(md|css|lua|ya?ml|conf|ini|env|service|json)$/.test(file)) return named
  const text = await Bun.file(join(ROOT, file)).text()
  const names = isCode ? findTerms(file, stripCommentsAndStrings(text), retiredNames) : []
  // Sentences wrap, so the beginning of a comment line counts as a space.
  return [...named, ...names, ...findTerms(file, text, retiredPhrases)]
}

const findings = (await Promise.all((await listFiles()).map(checkFile))).flat()
for (const { file, line, found, use } of findings) {
  console.log(`${file}${line === 0 ? '' : `:${line}`}  "${found}" → ${use}`)
}
if (findings.length > 0) {
  console.log(
    `\n${findings.length} retired terms. docs/glossary.md and CONTRIBUTING.md have the standard ones.`,
  )
  process.exit(1)
}
