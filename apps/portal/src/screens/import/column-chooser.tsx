import { NativeSelect, SimpleGrid } from '@mantine/core'
import { columnFields } from './csv-columns.ts'

interface Props {
  readonly headers: readonly string[]
  readonly columns: Readonly<Record<string, string>>
  readonly onChange: (columns: Readonly<Record<string, string>>) => void
}

/** Chooses which column of a CSV file contains which field. */
export const ColumnChooser = ({ headers, columns, onChange }: Props) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="fieldset" bd={0} p={0} m={0} spacing="sm">
    {columnFields.map(({ field, label, isRequired }) => (
      <NativeSelect
        key={field}
        label={label}
        required={isRequired}
        value={columns[field] ?? ''}
        data={[{ value: '', label: 'Not in the file' }, ...headers]}
        onChange={({ currentTarget: { value } }) => {
          const { [field]: _, ...others } = columns
          onChange(value === '' ? others : { ...others, [field]: value })
        }}
      />
    ))}
  </SimpleGrid>
)
