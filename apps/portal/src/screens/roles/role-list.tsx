import { ActionIcon, Anchor, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconDots, IconEdit, IconLock, IconShieldLock, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../../api/me.ts'
import { DangerItem } from '../../components/danger-item.tsx'
import { RoleDot } from '../../components/role-badge.tsx'
import { EmptyState } from '../../components/states.tsx'
import { count, number } from '../../format/number.ts'
import { useDeleteRole } from './delete-role.tsx'
import { type Reader, whyNoChange } from './reach.ts'
import { type Holding, holdersOf, type Role, rankWords } from './role-data.ts'
import classes from './role-list.module.css'

interface Props {
  readonly roles: readonly Role[]
  readonly holdings: readonly Holding[]
  readonly reader: Reader
  readonly mayChange: boolean
  readonly edit: (role: Role) => void
  readonly showPermissions: (role: Role) => void
}

/** The roles, the highest first: what each is, who holds it, and what the reader can do with it. */
export function RoleList({ roles, holdings, reader, mayChange, edit, showPermissions }: Props) {
  const askToDelete = useDeleteRole(roles, holdings)
  return (
    <>
      <ol className={classes.list} aria-label="Roles, highest rank first">
        {roles.map((role) => {
          const reason = whyNoChange(reader, role)
          return (
            <li key={role.id} className={classes.row}>
              <RoleDot color={role.color} />
              <div className={classes.text}>
                <Text component="bdi" fw={600}>
                  {role.name}
                </Text>
                <Text size="sm" c="dimmed" component="div">
                  {rankWords(role.rank)} · <Holders role={role} people={holdersOf(role.id, holdings)} /> ·{' '}
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    underline="always"
                    onClick={() => showPermissions(role)}
                  >
                    {role.isOwner ? 'every permission' : count(role.permissions.size, 'permission')}
                    <VisuallyHidden> of {role.name}</VisuallyHidden>
                  </Anchor>
                </Text>
                {mayChange && reason !== null ? (
                  <Text size="xs" c="dimmed" className={classes.locked}>
                    <IconLock size={14} aria-hidden /> {reason}
                  </Text>
                ) : null}
              </div>
              {mayChange && reason === null ? (
                <Menu position="bottom-end" width={200}>
                  <Menu.Target>
                    <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Change ${role.name}`}>
                      <IconDots size={18} aria-hidden />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item
                      leftSection={<IconEdit size={16} stroke={1.7} aria-hidden />}
                      onClick={() => edit(role)}
                    >
                      Name, colour and rank
                    </Menu.Item>
                    <DangerItem
                      leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
                      onClick={() => askToDelete(role)}
                    >
                      Delete
                    </DangerItem>
                  </Menu.Dropdown>
                </Menu>
              ) : null}
            </li>
          )
        })}
      </ol>
      {roles.length === 1 ? (
        <EmptyState icon={IconShieldLock} title="Only the owner has a role yet">
          Make one for those who help: “Moderator” with what a moderator needs, for one. Give it to people
          when you invite them, or later under People.
        </EmptyState>
      ) : null}
    </>
  )
}

function Holders({ role, people }: { readonly role: Role; readonly people: number }) {
  const { id } = useWorkspace()
  const maySee = useMay('members.view')
  if (people === 0) return <>nobody holds it</>
  const words = people === 1 ? '1 person' : `${number(people)} people`
  if (!maySee) return <>{words}</>
  return (
    <Link
      to="/w/$workspaceId/people"
      params={{ workspaceId: id }}
      search={{ role: role.id }}
      className={classes.link}
    >
      {words}
    </Link>
  )
}
