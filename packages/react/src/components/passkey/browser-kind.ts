/** Whether the page stands inside another page. */
export function isInFrame(): boolean {
  return window.self !== window.top;
}

/** Browsers inside of apps, by what they call themselves. Google refuses to sign in there (2026). */
const inAppBrowsers =
  /\b(?:FBAN|FBAV|Instagram|Line|LinkedInApp|Snapchat|TikTok|musical_ly|Pinterest|MicroMessenger)\b/;

/** Whether the page is shown by an app, such as a messenger, instead of a browser. */
export function isInAppBrowser(userAgent: string = navigator.userAgent): boolean {
  return inAppBrowsers.test(userAgent);
}
