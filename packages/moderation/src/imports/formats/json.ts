import { Scanner } from './scanner.ts'

/** An element of a list in a JSON file. */
export interface JsonElement {
  readonly line: number
  /** The field of the root object whose list contains it; empty if the root is a list. */
  readonly field: string
  readonly value: unknown
}

interface JsonProblem {
  readonly line: number
  readonly problem: string
}

/** The longest element, in characters. */
const MAX_ELEMENT = 4 * 1024 * 1024

const STRUCTURE = /["[\]{}]/g

/**
 * Reads the elements of a list of objects, which is the whole file or a field of an object, one at a time.
 * @param fields the fields whose lists are read
 */
export async function* readJson(
  text: AsyncIterable<string>,
  fields: readonly string[],
): AsyncGenerator<JsonElement | JsonProblem> {
  const scanner = new Scanner(text)
  await scanner.skipWhitespace()
  const root = await scanner.peek()
  if (root === '[') {
    yield* readList(scanner, '')
    return
  }
  if (root !== '{') {
    yield { line: scanner.line, problem: 'the file is not JSON: it must begin with { or [' }
    return
  }
  scanner.advanceTo(scanner.position + 1)
  for (;;) {
    await scanner.skipWhitespace()
    const next = await scanner.peek()
    if (next === ',') {
      scanner.advanceTo(scanner.position + 1)
      continue
    }
    if (next === '}') return
    const { line } = scanner
    const name = next === '"' ? await readElement(scanner) : null
    await scanner.skipWhitespace()
    if (name === null || (await scanner.peek()) !== ':') {
      yield { line, problem: 'the file is damaged from here on: a field of the outermost object is expected' }
      return
    }
    scanner.advanceTo(scanner.position + 1)
    await scanner.skipWhitespace()
    const field = String(parse(name))
    if (fields.includes(field) && (await scanner.peek()) === '[') {
      if (!(yield* readList(scanner, field))) return
    } else if (!(await skipElement(scanner))) {
      yield { line, problem: 'the file ends within an element' }
      return
    }
  }
}

/** Reads a file with one JSON object per line, one at a time. */
export async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonElement | JsonProblem> {
  const scanner = new Scanner(text)
  for (;;) {
    await scanner.skipWhitespace()
    const first = await scanner.peek()
    if (first === '') return
    const { line } = scanner
    if (first !== '{') {
      yield { line, problem: 'the file is damaged from here on: an object is expected' }
      return
    }
    const element = await readElement(scanner)
    if (element !== null) yield parseElement(line, '', element)
    else if (scanner.isComplete) {
      yield { line, problem: 'the file ends within an element' }
      return
    } else {
      yield { line, problem: `the element has more than ${MAX_ELEMENT} characters` }
      if (!(await skipElement(scanner))) return
    }
  }
}

const STARTS_ELEMENT = /[{["\w-]/
const NEXT_ELEMENT = /\n\s*\{/g

/** @returns false if the file ends within the list */
async function* readList(
  scanner: Scanner,
  field: string,
): AsyncGenerator<JsonElement | JsonProblem, boolean> {
  scanner.advanceTo(scanner.position + 1)
  let isDamaged = false
  for (;;) {
    await scanner.skipWhitespace()
    const next = await scanner.peek()
    if (next === ']') {
      scanner.advanceTo(scanner.position + 1)
      return true
    }
    if (next === ',') {
      scanner.advanceTo(scanner.position + 1)
      continue
    }
    const { line } = scanner
    if (next === '') {
      yield { line, problem: 'the file ends within a list' }
      return false
    }
    if (!STARTS_ELEMENT.test(next)) {
      // The rest of an element that is already listed, or else damage of its own.
      if (!isDamaged) yield { line, problem: `an element is expected, not ${next}` }
      isDamaged = true
      await skipToNextElement(scanner)
      continue
    }
    const element = await readElement(scanner)
    if (element === null) {
      yield { line, problem: 'the file ends within an element, or the element is too large' }
      return false
    }
    const parsed = parseElement(line, field, element)
    isDamaged = 'problem' in parsed
    yield parsed
  }
}

/** Skips to the next line that begins with an object, or to the end of the file. */
async function skipToNextElement(scanner: Scanner): Promise<void> {
  for (;;) {
    NEXT_ELEMENT.lastIndex = scanner.position
    const found = NEXT_ELEMENT.exec(scanner.text)
    if (found) return scanner.advanceTo(found.index)
    scanner.advanceTo(Math.max(scanner.position, scanner.text.lastIndexOf('\n')))
    if (!(await scanner.fill())) return scanner.advanceTo(scanner.text.length)
  }
}

const parse = (json: string): unknown => JSON.parse(json)

function parseElement(line: number, field: string, element: string): JsonElement | JsonProblem {
  try {
    return { line, field, value: parse(element) }
  } catch (error) {
    return { line, problem: `the element is not JSON: ${error instanceof Error ? error.message : ''}` }
  }
}

/** Reads the text of the next element. @returns null if the file ends within it */
async function readElement(scanner: Scanner): Promise<string | null> {
  for (;;) {
    const end = findEnd(scanner.text, scanner.position)
    if (end !== null) {
      const element = scanner.text.slice(scanner.position, end)
      scanner.advanceTo(end)
      return element
    }
    if (scanner.remaining > MAX_ELEMENT) return null
    if (!(await scanner.fill())) return null
  }
}

/** Skips an element that is not needed, of any size. @returns false if the file ends within it */
async function skipElement(scanner: Scanner): Promise<boolean> {
  const first = await scanner.peek()
  if (first !== '{' && first !== '[') return (await readElement(scanner)) !== null
  let depth = 0
  let isText = false
  let isEscaped = false
  for (;;) {
    const { text } = scanner
    for (let at = scanner.position; at < text.length; at++) {
      const character = text[at]
      if (isEscaped) isEscaped = false
      else if (isText) {
        isEscaped = character === '\\'
        isText = character !== '"'
      } else if (character === '"') isText = true
      else if (character === '{' || character === '[') depth += 1
      else if (character === '}' || character === ']') depth -= 1
      if (depth === 0 && !isText) {
        scanner.advanceTo(at + 1)
        return true
      }
    }
    scanner.advanceTo(text.length)
    if (!(await scanner.fill())) return false
  }
}

/** The position after the element; null if it has not arrived completely. */
function findEnd(text: string, start: number): number | null {
  const first = text[start]
  if (first !== '{' && first !== '[' && first !== '"') {
    const match = /[,\]}\s]/g
    match.lastIndex = start
    return match.exec(text)?.index ?? null
  }
  let depth = 0
  for (let at = start; ; ) {
    STRUCTURE.lastIndex = at
    const found = STRUCTURE.exec(text)
    if (!found) return null
    const character = found[0]
    at = found.index + 1
    if (character === '"') {
      const end = findTextEnd(text, at)
      if (end === null) return null
      at = end
    } else depth += character === '{' || character === '[' ? 1 : -1
    if (depth === 0) return at
  }
}

function findTextEnd(text: string, from: number): number | null {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return null
}
