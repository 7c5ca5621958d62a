import type { Choices } from './choices.ts'

/** Texts that engines might sort, normalize or match differently: case, accents, composition, other scripts, symbols. */
const words = [
  ...['Zebra', 'zebra', 'ZEBRA', 'a', 'A', 'b', 'B', 'ab', 'Ab', 'aB', 'a b', 'a-b', 'a_b', 'a%b', 'a\\b'],
  ...['Äpfel', 'äpfel', 'A\u0308pfel', 'Apfel', 'apfel', 'Éclair', 'éclair', 'eclair', 'E\u0301CLAIR'],
  ...['Straße', 'STRASSE', 'strasse', 'ſtrasse', 'İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul'],
  ...['Ωmega', 'ωmega', 'ΣΑΣ', 'σας', 'σασ', 'ǅ', 'ǆ', 'K', 'k', 'Å', 'å', 'ﬁn', 'fin', 'ﬀ', 'ﬃ'],
  ...[
    '日本',
    'にほん',
    'ニホン',
    '😀',
    '😀 team',
    '\u{10400}x',
    '\u{10428}x',
    '\uff21bc',
    '\ufffd',
    '\ue000',
  ],
  ...[
    "O'Neil",
    '"quoted"',
    '10',
    '9',
    '09',
    '1e3',
    '-',
    '_',
    '%',
    '~',
    '\u00a0x',
    'x\u200dy',
    '$1',
    ':p',
    '?',
  ],
]
const invalidTexts = ['', '   ', 'a\u0000b', '\ud800', 'x'.repeat(5000), 'two\nlines', '\u0007']

/** A name: often one of a few, so that names collide, otherwise a new one. */
export const pickName = ({ chance, pick, intBelow }: Choices): string => {
  if (chance(0.03)) return pick(invalidTexts)
  return chance(0.5) ? pick(words) : `${pick(words)} ${pick(words)} ${intBelow(40)}`
}

/** A longer text. */
export const pickText = ({ chance, pick, intBelow }: Choices): string => {
  if (chance(0.02)) return pick(invalidTexts)
  return Array.from({ length: 1 + intBelow(5) }, () => pick(words)).join(pick([' ', ' ', '\n', ', ']))
}

/** A search text: a whole word or a part of one. */
export const pickSearch = ({ chance, pick, intBelow }: Choices): string => {
  const word = pick(words)
  return chance(0.5) ? word : word.slice(intBelow(word.length), intBelow(word.length) + 2)
}

/** Ids of players on platforms, some in several spellings of one id. */
const platformIds = [
  ...[
    'steam:76561197960287930',
    'steam:STEAM_0:0:11101',
    'Steam:[U:1:22202]',
    'STEAM_0:0:11101',
    '76561197960287930',
  ],
  ...['minecraft:069a79f444e94726a5befca90e38aaf5', 'minecraft:069A79F444E94726A5BEFCA90E38AAF5'],
  ...['discord:80351110224678912', 'roblox:3', '3', 'other:Ab', 'other:ab', 'steam:x'],
]

/** The id of one of a few players. */
export const pickPlayer = ({ chance, pick, intBelow }: Choices): string => {
  if (chance(0.04)) return pick(['', 'no player', 'ä', 'x'.repeat(65)])
  return chance(0.12) ? pick(platformIds) : pick(['P', 'p', 'Q-', 'q_', '']) + intBelow(12)
}
