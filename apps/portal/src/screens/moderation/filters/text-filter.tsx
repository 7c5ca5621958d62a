import { TextInput } from '@mantine/core'
import { useSearchText } from '../../../components/use-search-text.ts'

interface Props {
  readonly text: string
  readonly apply: (text: string | undefined) => void
}

const MAX_TEXT_LENGTH = 100

/** Searches the texts of cases while it is being typed. */
export function TextFilter({ text, apply }: Props) {
  const search = useSearchText(text, apply)
  return (
    <TextInput
      label="Text"
      type="search"
      placeholder="In reasons and comments"
      maxLength={MAX_TEXT_LENGTH}
      value={search.text}
      onChange={(event) => search.change(event.currentTarget.value)}
    />
  )
}
