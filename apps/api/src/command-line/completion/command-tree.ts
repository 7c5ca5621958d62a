import type { CommandReference, FlagReference } from '../reference.ts'

/** What the completion scripts are generated from. */
export interface CommandLine {
  readonly commands: readonly CommandReference[]
  /** The descriptions of command groups. */
  readonly groups: Readonly<Record<string, string>>
}

interface Word {
  readonly word: string
  readonly summary: string
}

/** A first word of the command line: a command, or a group with the second words of its commands. */
export interface FirstWord extends Word {
  readonly seconds: readonly Word[]
}

/** The words of the command line, in the order of the help. */
export function listFirstWords({ commands, groups }: CommandLine): FirstWord[] {
  const words = new Map<string, { word: string; summary: string; seconds: Word[] }>()
  for (const { name, summary } of commands) {
    const [first = '', second] = name.split(' ')
    const entry = words.get(first) ?? { word: first, summary: groups[first] ?? summary, seconds: [] }
    if (second !== undefined) entry.seconds.push({ word: second, summary })
    words.set(first, entry)
  }
  return [...words.values(), { word: 'help', summary: 'Show the help of a command', seconds: [] }]
}

type ValueKind = 'none' | 'list' | 'file' | 'folder' | 'text'

/** A backup and the target of a move can also be a URL. */
const FILE_PLACEHOLDERS = new Set(['<file>', '<path>', '<backup>', '<target>'])

/** What completes the value of a flag: nothing, a fixed list, or names of files or folders. */
export function getValueKind({ placeholder, values }: FlagReference): ValueKind {
  if (placeholder === '') return 'none'
  if (values.length > 0) return 'list'
  if (placeholder === '<folder>') return 'folder'
  return FILE_PLACEHOLDERS.has(placeholder) ? 'file' : 'text'
}

/** A text in single quotes, as bash and zsh read it. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
