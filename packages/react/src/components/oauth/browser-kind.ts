/** Whether the page is inside a frame. */
export function isInFrame(): boolean {
  return window.self !== window.top;
}

/** The user agents of in-app browsers. Google refuses to sign in there (2026). */
const inAppBrowsers =
  /\b(?:FBAN|FBAV|Instagram|Line|LinkedInApp|Snapchat|TikTok|musical_ly|Pinterest|MicroMessenger)\b/;

/** Whether the page is shown by an in-app browser, such as that of a messenger. */
export function isInAppBrowser(): boolean {
  return inAppBrowsers.test(navigator.userAgent);
}
