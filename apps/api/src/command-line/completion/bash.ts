import type { CommandReference, FlagReference } from '../reference.ts'
import { type CommandLine, getValueKind, listFirstWords, quote } from './command-tree.ts'

const joinWords = (words: readonly { readonly word: string }[]): string =>
  words.map(({ word }) => word).join(' ')

/** The completion script for bash. Needs neither bash 4 nor the package bash-completion. */
export function renderBash(commandLine: CommandLine): string {
  const { commands } = commandLine
  const firstWords = listFirstWords(commandLine)
  const twoWords = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => quote(name))
  const seconds = firstWords
    .filter((first) => first.seconds.length > 0)
    .map((first) => `      ${first.word}) words=${quote(joinWords(first.seconds))} ;;`)
  return `# Completion of reeve for bash. Load it with: source <(reeve completion bash)
_reeve() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]} command words='' IFS=$' \\t\\n'
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words=${quote(`${joinWords(firstWords)} --help --version`)}
  elif ((COMP_CWORD == 2)) && [[ $current != -* ]]; then
    case $first in
${seconds.join('\n')}
      help) words=${quote(joinWords(firstWords))} ;;
    esac
  fi
  case "$first $second" in
    ${twoWords.join(' | ')}) command="$first $second" ;;
    *) command=$first ;;
  esac
  if [[ -z $words ]]; then
    case "$command $previous" in
${renderValues(commands).join('\n')}
      *)
        case $command in
${commands.map(renderFlags).join('\n')}
        esac
        ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
_reeve_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$2"))
}
complete -F _reeve reeve
`
}

const renderFlags = ({ name, flags }: CommandReference): string =>
  `          ${quote(name)}) words=${quote(flags.map(({ flag }) => `--${flag}`).join(' '))} ;;`

const NO_VALUE = ':'

/** What to do after a flag that takes a value, one line for all flags with the same action. */
function renderValues(commands: readonly CommandReference[]): string[] {
  const patterns = new Map<string, string[]>()
  for (const { name, flags } of commands) {
    for (const flag of flags) {
      const action = renderValue(flag)
      if (action === null) continue
      patterns.set(action, [...(patterns.get(action) ?? []), quote(`${name} --${flag.flag}`)])
    }
  }
  return [...patterns].map(([action, list]) => `      ${list.join(' | ')}) ${action} ;;`)
}

/** The action for the value of a flag; null for a flag without a value. */
function renderValue(flag: FlagReference): string | null {
  const kind = getValueKind(flag)
  if (kind === 'none') return null
  if (kind === 'list') return `words=${quote(flag.values.join(' '))}`
  if (kind === 'text') return NO_VALUE
  return `_reeve_paths ${kind === 'folder' ? '-d' : '-f'} "$current"; return`
}
