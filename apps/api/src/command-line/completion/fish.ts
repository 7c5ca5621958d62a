import type { CommandReference, FlagReference } from '../reference.ts'
import { type CommandLine, getValueKind, listFirstWords } from './command-tree.ts'

/** The completion script for fish. */
export function renderFish(commandLine: CommandLine): string {
  const { commands } = commandLine
  const firstWords = listFirstWords(commandLine)
  const complete = (condition: string, ...more: string[]) =>
    `complete -c reeve -n ${quoteFish(condition)} ${more.join(' ')}`
  const describe = ({ word, summary }: { readonly word: string; readonly summary: string }) => [
    `-a ${word}`,
    `-d ${quoteFish(summary)}`,
  ]
  return [
    '# Completion of reeve for fish. Load it with: reeve completion fish | source',
    '# Whether the words before the cursor are exactly these.',
    'function __reeve_at',
    '  set -l words (commandline -opc)',
    '  test "$words[2..]" = "$argv"',
    'end',
    '# Whether the words before the cursor begin with these.',
    'function __reeve_runs',
    '  set -l words (commandline -opc)',
    '  set -l last (math (count $argv) + 1)',
    '  test "$words[2..$last]" = "$argv"',
    'end',
    'complete -c reeve -f',
    ...firstWords.map((first) => complete('__reeve_at', ...describe(first))),
    ...firstWords.map((first) => complete('__reeve_at help', ...describe(first))),
    complete('__reeve_at', '-l version', "-d 'print the version, commit and build time'"),
    ...firstWords.flatMap(({ word, seconds }) =>
      seconds.map((second) => complete(`__reeve_at ${word}`, ...describe(second))),
    ),
    ...commands.flatMap((command) =>
      command.flags.map((flag) => complete(renderCondition(command, commands), ...renderFlag(flag))),
    ),
    '',
  ].join('\n')
}

/** Whether a command is being completed. A command can be the first word of others. */
function renderCondition({ name }: CommandReference, commands: readonly CommandReference[]): string {
  const longer = commands.filter((other) => other.name.startsWith(`${name} `))
  return [`__reeve_runs ${name}`, ...longer.map((other) => `not __reeve_runs ${other.name}`)].join('; and ')
}

function renderFlag(flag: FlagReference): string[] {
  const common = [`-l ${flag.flag}`, `-d ${quoteFish(flag.help)}`]
  switch (getValueKind(flag)) {
    case 'none':
      return common
    case 'list':
      return [...common, `-x -a ${quoteFish(flag.values.join(' '))}`]
    case 'folder':
      return [...common, "-x -a '(__fish_complete_directories)'"]
    case 'file':
      return [...common, '-r -F']
    case 'text':
      return [...common, '-x']
  }
}

const quoteFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
