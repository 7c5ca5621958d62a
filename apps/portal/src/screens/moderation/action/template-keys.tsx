import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { useShortcut } from '../../../components/shortcuts.ts'
import { TEMPLATE_KEYS, type Template, templatesQuery } from '../templates/queries.ts'

interface Props {
  readonly choose: (templateId: string) => void
  readonly isBlocked: boolean
}

/** The keys 1 to 9 of a player’s page: each opens the dialog with a template. */
export function TemplateKeys(props: Props) {
  const { id: workspaceId } = useWorkspace()
  const { data: templates = [] } = useQuery(templatesQuery(workspaceId))
  return templates
    .slice(0, TEMPLATE_KEYS)
    .map((template, index) => (
      <TemplateKey key={template.id} template={template} number={index + 1} {...props} />
    ))
}

function TemplateKey({
  template,
  number,
  choose,
  isBlocked,
}: Props & { readonly template: Template; readonly number: number }) {
  useShortcut(
    { keys: [String(number)], label: template.name, group: 'Templates' },
    () => choose(template.id),
    isBlocked,
  )
  return null
}
