import {
  type AppealQuestion,
  MAX_APPEAL_QUESTIONS,
  MAX_APPEAL_TEXT,
  parseAppealCode,
  wire,
} from '@reeve/core'

/** The formats of the fields of appeals. */

export const appealText = wire.text({
  min: 1,
  max: MAX_APPEAL_TEXT,
  multiline: true,
  example: 'My account was stolen. I have it back now.',
})

/** The code of a ban, parsed as the number that is stored. */
export const appealCode: wire.Codec<number> = {
  read(raw) {
    const code = parseAppealCode(raw)
    if (code === null)
      throw new wire.WireError('must be the 10 characters of an appeal code, such as 7K3M9-Q9TX2')
    return code
  },
  write: String,
  description:
    'The appeal code of a ban: 10 letters and digits. Case, spaces and dashes do not matter, O is read as 0, I and L as 1',
  example: '7K3M9-Q9TX2',
}

const answer = wire.text({ max: MAX_APPEAL_TEXT, multiline: true })

/** The answers to the questions of the form, in their order. */
export const answerList: wire.Codec<readonly string[]> = {
  readList: parseAnswers,
  read: (raw) => parseAnswers(wire.parseTextArray(raw) ?? (raw === '' ? [] : [raw])),
  write: (answers) => JSON.stringify(answers),
  description: `An answer to each question of the form, in their order: an array, or a JSON array as a string, of at most ${MAX_APPEAL_QUESTIONS}, each of at most ${MAX_APPEAL_TEXT} characters. Empty for a question that is not answered. Any other string is the answer to the first question`,
  example: '["Yes"]',
}

/** @throws WireError */
function parseAnswers(items: readonly string[]): readonly string[] {
  if (items.length > MAX_APPEAL_QUESTIONS)
    throw new wire.WireError(`must have at most ${MAX_APPEAL_QUESTIONS} items`)
  return items.map(answer.read)
}

const question = wire.text({ min: 1, max: 200, example: 'Why were you banned?' })
/** Ends a question that does not have to be answered. */
const OPTIONAL = /\s*\(optional\)$/i

/** The questions of the form. A question that ends with `(optional)` does not have to be answered. */
export const questionList: wire.Codec<readonly AppealQuestion[]> = {
  readList(items) {
    if (items.length > MAX_APPEAL_QUESTIONS)
      throw new wire.WireError(`must have at most ${MAX_APPEAL_QUESTIONS} questions`)
    return items.map((item) => ({
      text: question.read(item.replace(OPTIONAL, '')),
      isRequired: !OPTIONAL.test(item),
    }))
  },
  read: (raw) =>
    (questionList.readList as NonNullable<typeof questionList.readList>)(
      raw.split('\n').filter((line) => line.trim() !== ''),
    ),
  write: (questions) => questions.map(({ text }) => text).join('\n'),
  description: `The questions of the form: an array, or one per line, at most ${MAX_APPEAL_QUESTIONS} of 200 characters each. One that ends with \`(optional)\` does not have to be answered`,
  example: 'Why were you banned?',
}
