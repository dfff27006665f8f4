export { Avatar, type AvatarProps } from './avatar.tsx';
export { Badge, type BadgeProps } from './badge.tsx';
export { useReturnToPage } from './busy/use-return-to-page.ts';
export { Button, type ButtonProps } from './button.tsx';
export { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';
export { classNames } from './class-names.ts';
export { Dialog, type DialogProps } from './dialog.tsx';
export { deviceName } from './display/device-name.ts';
export { initialsOf } from './display/initials.ts';
export { neverExpires } from './display/never-expires.ts';
export {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './dropdown-menu.tsx';
export { keepFocus } from './focus/keep-focus.ts';
export { Checkbox, type CheckboxProps } from './form/checkbox.tsx';
export { CodeInput, type CodeInputProps } from './form/code-input.tsx';
export { isEmail } from './form/email-rule.ts';
export { Field, type FieldProps } from './form/field.tsx';
export { type FieldControl, useFieldControl } from './form/field-context.ts';
export { FormSummary, type FormSummaryProps } from './form/form-summary.tsx';
export { createInOrder, type InOrder } from './form/in-order.ts';
export { Input, type InputProps } from './form/input.tsx';
export { PasswordInput, type PasswordInputProps } from './form/password-input.tsx';
export { PasswordStrength, type PasswordStrengthProps } from './form/password-strength.tsx';
export { Select, type SelectProps } from './form/select.tsx';
export { type PasswordLevel, passwordStrength } from './form/strength.ts';
export { Switch, type SwitchProps } from './form/switch.tsx';
export {
  ArrowLeft,
  Bell,
  Check,
  CircleUserRound,
  Ellipsis,
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
export { Actions } from './layout/actions.tsx';
export { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from './layout/card.tsx';
export { MessageCard, type MessageCardProps } from './layout/message-card.tsx';
export { Page, type PageProps } from './layout/page.tsx';
export { Separator } from './layout/separator.tsx';
export { Skeleton } from './layout/skeleton.tsx';
export { ProviderIcon } from './provider/provider-icon.tsx';
export { providerLook } from './provider/provider-looks.ts';
export { saveFile } from './save-file.ts';
export { Spinner, type SpinnerProps } from './spinner.tsx';
export { Tabs, type TabsProps } from './tabs.tsx';
export { type Theme, type ThemeColors, themeToCss } from './theme/theme.ts';
export { ThemeProvider, type ThemeProviderProps } from './theme/theme-provider.tsx';
export { ThemeRoot, type ThemeRootProps } from './theme/theme-root.tsx';
export { variants } from './variants.ts';
