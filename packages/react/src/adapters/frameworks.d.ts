/** What the adapters use of the frameworks. None of them is installed here: each customer has one of them. */

declare module 'next/navigation.js' {
  export function notFound(): never;
  export function usePathname(): string;
  export function useRouter(): { push(href: string): void; replace(href: string): void };
}

declare module 'react-router' {
  export function useHref(to: string): string;
  export function useLocation(): { readonly pathname: string };
  export function useNavigate(): (to: string, options?: { readonly replace?: boolean }) => unknown;
}

declare module '@tanstack/react-router' {
  export function useLocation(): { readonly publicHref: string };
  export function useRouter(): {
    readonly basepath: string;
    readonly history: { push(href: string): void; replace(href: string): void };
  };
}
