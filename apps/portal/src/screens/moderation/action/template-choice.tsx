import { Kbd } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { getPreferences, usePreferences } from '../../../app/preferences.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { TEMPLATE_KEYS, type Template } from '../templates/queries.ts'

interface Props {
  readonly templates: readonly Template[]
  readonly value: string
  readonly onChange: (templateId: string) => void
}

/** The reasons to choose from, with the keys of the first ones. */
export function TemplateChoice({ templates, value, onChange }: Props) {
  const hasKeys = usePreferences().singleKeys === 'on'
  return (
    <RadioButtons
      label="Template"
      name="template"
      isFocusedFirst
      options={[
        ...templates.map(({ id, name }, index) => ({
          value: id,
          label: (
            <>
              {hasKeys && index < TEMPLATE_KEYS ? (
                <Kbd size="xs" aria-hidden>
                  {index + 1}
                </Kbd>
              ) : null}
              <bdi>{name}</bdi>
            </>
          ),
        })),
        { value: '', label: 'None' },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

const TEXT_INPUT = 'input:not([type="radio"]), textarea, select'

/** Handles the keys 1 to 9 in the dialog: each chooses a template, except while typing. */
export function handleTemplateKey(
  event: KeyboardEvent,
  templates: readonly Template[],
  choose: (templateId: string) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || getPreferences().singleKeys === 'off') return
  if (event.target instanceof Element && event.target.closest(TEXT_INPUT)) return
  const template = /^[1-9]$/.test(event.key) ? templates[Number(event.key) - 1] : undefined
  if (!template) return
  event.preventDefault()
  choose(template.id)
}
