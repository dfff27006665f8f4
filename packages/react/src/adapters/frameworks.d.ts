/** The parts of Next.js that the adapter uses. Next.js is not installed here. */

declare module 'next/navigation.js' {
  export function notFound(): never;
  export function usePathname(): string;
  export function useRouter(): { push(href: string): void; replace(href: string): void };
}
