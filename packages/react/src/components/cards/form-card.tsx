import { Card, CardContent, CardHeader, CardTitle } from '@tessera/ui';
import type { ReactNode, Ref } from 'react';

interface FormCardProps {
  title: string;
  /** Used to move the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement>;
  /** Below the title. */
  lead?: ReactNode;
  /** Without card and title, for a form that a host app uses alone. */
  isPart?: boolean | undefined;
  children: ReactNode;
}

/** A card with a form. */
export function FormCard({ title, titleRef, lead, isPart, children }: FormCardProps) {
  if (isPart) {
    return (
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5">
        {lead}
        {children}
      </div>
    );
  }
  return (
    <Card>
      <CardHeader>
        <CardTitle ref={titleRef}>{title}</CardTitle>
        {lead}
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}
