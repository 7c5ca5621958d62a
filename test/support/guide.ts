/** A block of code in a guide. */
export interface GuideBlock {
  /** The heading above it. */
  readonly heading: string
  /** What follows the opening fence, such as `sh`; empty if nothing does. */
  readonly language: string
  readonly code: string
}

/** The blocks of code of a guide, in order. */
export function parseBlocks(text: string): GuideBlock[] {
  const blocks: GuideBlock[] = []
  let heading = ''
  for (const [, title, language = '', code = ''] of text.matchAll(
    /^##+ (.+)$|^```(\w*)\n([\s\S]*?)^```$/gm,
  )) {
    if (title) heading = title
    else blocks.push({ heading, language, code })
  }
  return blocks
}

/** The commands of a shell block; a line that ends in a backslash continues on the next one. */
export const splitCommands = (code: string): string[] =>
  code
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')

/**
 * The commands within the sentences and tables of a guide, in order, each once.
 * @param programs their first words
 */
export function listInlineCommands(text: string, programs: readonly string[]): string[] {
  const spans = text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)
  const isCommand = (span: string) =>
    programs.includes(span.replace(/^([A-Z_]+=\S+ )+/, '').split(' ')[0] as string) && span.includes(' ')
  return [...new Set([...spans].map(([, span = '']) => span).filter(isCommand))]
}

/** Whether JSON contains everything that a guide shows; `…` matches any value. */
export function matchesExpected(response: unknown, expectedJson: unknown): boolean {
  if (expectedJson === '…') return response !== undefined
  if (Array.isArray(expectedJson)) {
    return (
      Array.isArray(response) &&
      response.length === expectedJson.length &&
      expectedJson.every((one, i) => matchesExpected(response[i], one))
    )
  }
  if (typeof expectedJson !== 'object' || expectedJson === null) return response === expectedJson
  if (typeof response !== 'object' || response === null) return false
  return Object.entries(expectedJson).every(([name, value]) =>
    matchesExpected(Reflect.get(response, name), value),
  )
}
