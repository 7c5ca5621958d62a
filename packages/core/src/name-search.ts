import { hashText } from './hash-text.ts'
import { removeInvisibleCharacters } from './visible-name.ts'

/**
 * The rules of the search for player names, which the server, the index of names and the portal share. Pure.
 *
 * A name is searched by its key, which has no accents and no case. It is indexed by its grams: a number for each three
 * adjacent characters of the key, and for the start and end of words.
 */

/** Letters that Unicode does not decompose into a base letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  ß: 'ss',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
  ŧ: 't',
  ς: 'σ',
}

const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g')

/** Most texts are. Normalizing one takes several times as long. */
const ASCII = /^[\t\n\x20-\x7e]*$/
const WORD_CHARACTER = /[\p{L}\p{N}]/u

/**
 * The form of a name or text in which a search compares it: compatibility forms unified, without accents, in lower case.
 * Each character has its form whatever its neighbors are. The index of names stores it.
 */
export const toSearchKey = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .toLowerCase()
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] as string)

/** The form of a text or name that is compared in searches: its search key with single spaces, without invisible characters. */
export const toSearchText = (text: string): string =>
  toSearchKey(ASCII.test(text) ? text : removeInvisibleCharacters(text))
    .replace(/\s+/g, ' ')
    .trim()

/** How a name matches a search, best first. A word starts at a letter or digit after any other character. */
export const nameMatches = ['exact', 'prefix', 'word', 'substring'] as const
export type NameMatch = (typeof nameMatches)[number]

/** A shorter search finds the start of a name or word only. */
const MIN_SUBSTRING_LENGTH = 3

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && WORD_CHARACTER.test(character)

const startsWord = (characters: readonly string[], index: number): boolean =>
  isWordCharacter(characters[index]) && (index === 0 || !isWordCharacter(characters[index - 1]))

/** Where a search matches a key best: the position in characters. Null if it does not match. */
function findBestMatch(
  characters: readonly string[],
  query: readonly string[],
): { readonly match: NameMatch; readonly index: number } | null {
  let substringIndex = -1
  for (let index = 0; index + query.length <= characters.length; index++) {
    if (!query.every((character, offset) => characters[index + offset] === character)) continue
    if (index === 0) return { match: query.length === characters.length ? 'exact' : 'prefix', index }
    if (startsWord(characters, index)) return { match: 'word', index }
    if (substringIndex < 0) substringIndex = index
  }
  return substringIndex >= 0 && query.length >= MIN_SUBSTRING_LENGTH
    ? { match: 'substring', index: substringIndex }
    : null
}

/** How a name matches a search. Both are in the form of `toSearchText`. */
export const matchName = (key: string, query: string): NameMatch | null =>
  query === '' ? null : (findBestMatch([...key], [...query])?.match ?? null)

/** The part of a name that a search matches, as a range of the text; null if it does not match. */
export function findMatchRange(name: string, query: string): readonly [start: number, end: number] | null {
  const key: string[] = []
  /** The range of the name that each character of the key comes from. */
  const ranges: [start: number, end: number][] = []
  let position = 0
  for (const character of name) {
    const end = position + character.length
    const folded = [...toSearchKey(character)]
    // A mark belongs to the letter before it, and a further space to the first one.
    const last = ranges.at(-1)
    const isPart = folded.length === 0 || (folded.join('') === ' ' && (key.at(-1) ?? ' ') === ' ')
    if (isPart && last) last[1] = end
    if (isPart) folded.length = 0
    for (const part of folded) {
      key.push(part)
      ranges.push([position, end])
    }
    position = end
  }
  const queryKey = [...toSearchText(query)]
  const best = queryKey.length === 0 ? null : findBestMatch(key, queryKey)
  if (!best) return null
  const [start] = ranges[best.index] as [number, number]
  const [, end] = ranges[best.index + queryKey.length - 1] as [number, number]
  return [start, end]
}

// Grams of different kinds begin with different control characters, which are not in names.
const NAME_START = '\u0001'
const WORD_START = '\u0002'
const NAME_END = '\u0003'
const WINDOW = '\u0004'

const startGrams = (kind: string, characters: readonly string[], index: number, lengths: readonly number[]) =>
  lengths
    .filter((length) => index + length <= characters.length)
    .map((length) => kind + characters.slice(index, index + length).join(''))

const innerGrams = (characters: readonly string[]): string[] =>
  characters
    .slice(MIN_SUBSTRING_LENGTH - 1)
    .map((_, index) => characters.slice(index, index + MIN_SUBSTRING_LENGTH).join(''))

const endGram = (characters: readonly string[]): string => NAME_END + characters.slice(-2).join('')

/** The number of consecutive names that one statement searches: the limit of its work, whatever the names are. */
const WINDOW_BITS = 17
export const NAME_WINDOW = 2 ** WINDOW_BITS

const windowGram = (workspaceId: string, id: number): string =>
  `${WINDOW}${workspaceId}/${Math.floor(id / NAME_WINDOW)}`

/** The grams under which a name is found, as hashes: a search compares the key as well. @param id the number of the name in the index */
export function listNameGrams(workspaceId: string, id: number, name: string): number[] {
  const characters = [...toSearchKey(name)]
  const grams = [windowGram(workspaceId, id), ...innerGrams(characters)]
  if (characters.length > 0) grams.push(endGram(characters), ...startGrams(NAME_START, characters, 0, [1, 2]))
  characters.forEach((_, index) => {
    if (index > 0 && startsWord(characters, index)) {
      grams.push(...startGrams(WORD_START, characters, index, [1, 2]))
    }
  })
  return [...new Set(grams.map(hashText))]
}

/** More grams do not narrow a search down enough to be worth their time: the index reads all names that have one of them. */
const MAX_INNER_GRAMS = 4

/** At most so many items of a list, the first and the last among them. */
function selectSpread<Item>(items: readonly Item[], max: number): Item[] {
  if (items.length <= max) return [...items]
  const step = (items.length - 1) / (max - 1)
  return Array.from({ length: max }, (_, index) => items[Math.round(index * step)] as Item)
}

/** A gram across a space. A name that was stored earlier may have several spaces there. */
const ACROSS_SPACE = /^\S\s\S$/u

/** The grams inside of a search that narrow it down: those across a space only if there are no others, as in `A B`. */
function selectInnerGrams(characters: readonly string[]): string[] {
  const grams = innerGrams(characters)
  const inWords = grams.filter((gram) => !ACROSS_SPACE.test(gram))
  return selectSpread(inWords.length > 0 ? inWords : grams, MAX_INNER_GRAMS)
}

/**
 * The grams that every name in the window of `id` has which matches a search in this way.
 * @param query in the form of `toSearchText`
 * @returns null if no name can match in this way
 */
export function listQueryGrams(
  workspaceId: string,
  id: number,
  query: string,
  match: NameMatch,
): number[] | null {
  const characters = [...query]
  if (characters.length === 0) return null
  const grams = [windowGram(workspaceId, id), ...selectInnerGrams(characters)]
  const longestStart = Math.min(2, characters.length)
  if (match === 'substring' && characters.length < MIN_SUBSTRING_LENGTH) return null
  if (match === 'word') {
    if (!startsWord(characters, 0)) return null
    grams.push(...startGrams(WORD_START, characters, 0, [longestStart]))
  }
  if (match === 'exact' || match === 'prefix') {
    grams.push(...startGrams(NAME_START, characters, 0, [longestStart]))
  }
  if (match === 'exact') grams.push(endGram(characters))
  return [...new Set(grams.map(hashText))]
}
