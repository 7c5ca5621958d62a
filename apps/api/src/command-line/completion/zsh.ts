import type { CommandReference, FlagReference } from '../reference.ts'
import { type CommandLine, getValueKind, listFirstWords, quote } from './command-tree.ts'

/** The completion script for zsh: a function for `fpath`, which can also be loaded with `source`. */
export function renderZsh(commandLine: CommandLine): string {
  const { commands } = commandLine
  const firstWords = listFirstWords(commandLine)
  const withSeconds = [
    ...firstWords.filter((first) => first.seconds.length > 0),
    { word: 'help', seconds: firstWords },
  ]
  const twoWords = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => quote(name))
  return `#compdef reeve
# Completion of reeve for zsh. Load it with: source <(reeve completion zsh)
_reeve() {
  local command
  local -a words_to_offer
  if (( CURRENT == 2 )); then
    words_to_offer=(
${firstWords.map(renderWord).join('\n')}
    )
    _describe command words_to_offer
    return
  fi
  if (( CURRENT == 3 )); then
    case $words[2] in
${withSeconds
  .map(({ word, seconds }) =>
    [
      `      ${word})`,
      '        words_to_offer=(',
      ...seconds.map(renderWord),
      '        )',
      '        ;;',
    ].join('\n'),
  )
  .join('\n')}
    esac
    if (( $#words_to_offer )) && [[ $words[3] != -* ]]; then
      _describe command words_to_offer
      return
    fi
  fi
  case "$words[2] $words[3]" in
    ${twoWords.join('|')})
      command="$words[2] $words[3]"
      shift 2 words
      (( CURRENT -= 2 ))
      ;;
    *)
      command=$words[2]
      shift words
      (( CURRENT -= 1 ))
      ;;
  esac
  case $command in
${commands.map(renderCommand).join('\n')}
  esac
}
if [[ $funcstack[1] == _reeve ]]; then
  _reeve "$@"
else
  compdef _reeve reeve
fi
`
}

const renderWord = ({ word, summary }: { readonly word: string; readonly summary: string }): string =>
  `      ${quote(`${word}:${summary.replaceAll(':', '\\:')}`)}`

const renderCommand = ({ name, flags }: CommandReference): string =>
  [
    `    ${quote(name)})`,
    '      _arguments \\',
    flags.map((flag) => `        ${quote(renderFlag(flag))}`).join(' \\\n'),
    '      ;;',
  ].join('\n')

/** A flag as a specification of `_arguments`. */
function renderFlag(flag: FlagReference): string {
  const help = flag.help.replace(/[[\]:\\]/g, '\\$&')
  const name = `--${flag.flag}[${help}]`
  const label = flag.placeholder.replace(/[<>]/g, '').replaceAll(':', ' ')
  switch (getValueKind(flag)) {
    case 'none':
      return name
    case 'list':
      return `${name}:${label}:(${flag.values.join(' ')})`
    case 'folder':
      return `${name}:${label}:_files -/`
    case 'file':
      return `${name}:${label}:_files`
    case 'text':
      return `${name}:${label}: `
  }
}
