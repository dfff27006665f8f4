import { ActionCard } from '../components/cards/action-card.tsx';
import { useNextActions } from '../components/cards/predefined-cards.tsx';
import { PageSurface } from '../components/cards/surface.tsx';
import { useTranslate } from '../words/translate.tsx';

export interface NoticeCardProps {
  fullPage: boolean;
}

export function NotFoundCard({ fullPage }: NoticeCardProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <NotFound />
    </PageSurface>
  );
}

function NotFound() {
  const translate = useTranslate();
  const { home } = useNextActions();

  return <ActionCard title={translate('notFound.title')} actions={[home]} text={translate('notFound.text')} />;
}

export interface MisplacedCardProps extends NoticeCardProps {
  handler: string;
  location: string;
}

export function MisplacedCard({ fullPage, handler, location }: MisplacedCardProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <Misplaced handler={handler} location={location} />
    </PageSurface>
  );
}

function Misplaced({ handler, location }: Omit<MisplacedCardProps, 'fullPage'>) {
  const translate = useTranslate();

  return <ActionCard title={translate('setup.title')} text={translate('setup.text', { handler, location })} />;
}
