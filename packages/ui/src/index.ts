/** Icons of the pages. */

export { Actions } from './actions.tsx';
export { Avatar, type AvatarProps } from './avatar.tsx';
export { Badge, type BadgeProps } from './badge.tsx';
export { Button, type ButtonProps } from './button.tsx';
export { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';
export { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from './card.tsx';
export { Checkbox, type CheckboxProps } from './checkbox.tsx';
export { classNames } from './class-names.ts';
export { CodeInput, type CodeInputProps } from './code-input.tsx';
export { Dialog, type DialogProps } from './dialog.tsx';
export {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './dropdown-menu.tsx';
export { Field, type FieldProps } from './field.tsx';
export { type FieldControl, useFieldControl } from './field-context.ts';
export { type FormProblem, FormSummary, type FormSummaryProps } from './form-summary.tsx';
export {
  ArrowLeft,
  Bell,
  Check,
  CircleUserRound,
  KeyRound,
  LogIn,
  LogOut,
  MonitorSmartphone,
  Plus,
  RotateCw,
  Settings,
  ShieldCheck,
  SunMoon,
  UserRoundPlus,
} from './icons.tsx';
export { initialsOf } from './initials.ts';
export { Input, type InputProps } from './input.tsx';
export { MessageCard, type MessageCardProps } from './message-card.tsx';
export { Page, type PageProps } from './page.tsx';
export { PasswordInput, type PasswordInputProps } from './password-input.tsx';
export { PasswordStrength, type PasswordStrengthProps } from './password-strength.tsx';
export { Select, type SelectProps } from './select.tsx';
export { Separator } from './separator.tsx';
export { Skeleton } from './skeleton.tsx';
export { Spinner, type SpinnerProps } from './spinner.tsx';
export { type PasswordLevel, passwordStrength } from './strength.ts';
export { Switch, type SwitchProps } from './switch.tsx';
export { Tabs, type TabsProps } from './tabs.tsx';
export { type Theme, type ThemeColors, themeToCss } from './theme.ts';
export { ThemeProvider, type ThemeProviderProps } from './theme-provider.tsx';
export { ThemeRoot, type ThemeRootProps } from './theme-root.tsx';
export { variants } from './variants.ts';
