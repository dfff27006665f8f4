import type { ComponentPropsWithoutRef } from 'react';

/**
 * The icons of the pages, drawn for this package: icons of a library would be a twentieth of the size budget of a
 * sign-in page. They are decorative unless they have an `aria-label`.
 */
type IconProps = ComponentPropsWithoutRef<'svg'>;

function draw(path: string) {
  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, so each icon is created once
  return function Icon(props: IconProps) {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label when it has a meaning
      <svg
        {...(props['aria-label'] ? { role: 'img' } : { 'aria-hidden': true })}
        viewBox="0 0 24 24"
        width={24}
        height={24}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        <path d={path} />
      </svg>
    );
  };
}

const head = 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0';
const circle = 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0';

const ArrowBigUp = /* @__PURE__ */ draw('M12 3l9 10h-5v8H8v-8H3z');
const ArrowLeft = /* @__PURE__ */ draw('M19 12H5m6-7l-7 7 7 7');
const Bell = /* @__PURE__ */ draw('M6 9a6 6 0 0 1 12 0c0 6 3 7 3 8H3c0-1 3-2 3-8m4 12h4');
const Check = /* @__PURE__ */ draw('M4 12l6 6L20 6');
const CircleAlert = /* @__PURE__ */ draw(`${circle}M12 7v6m0 4h0`);
const CircleUserRound = /* @__PURE__ */ draw(`${circle}M15 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0M6 19a6 6 0 0 1 12 0`);
const Ellipsis = /* @__PURE__ */ draw('M5 12h0m7 0h0m7 0h0');
const Eye = /* @__PURE__ */ draw('M2 12q10-14 20 0-10 14-20 0m13 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0');
const EyeOff = /* @__PURE__ */ draw('M3 3l18 18M10 10a3 3 0 0 0 4 4M7 7q-3 1.5-5 5 7 10 15 5M11 5q6-.5 11 7l-2 3');
const KeyRound = /* @__PURE__ */ draw('M15 9h0M21 9a6 6 0 0 1-8 5.5L11 17H8v3H3v-4l6.5-6.5A6 6 0 1 1 21 9');
const LogIn = /* @__PURE__ */ draw('M14 3h5a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-5M3 12h12m-5-5l5 5-5 5');
const LogOut = /* @__PURE__ */ draw('M10 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h5M9 12h12m-5-5l5 5-5 5');
const MonitorSmartphone = /* @__PURE__ */ draw('M12 16H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h13M6 20h6m4-11h6v12h-6zM9 16v4');
const Plus = /* @__PURE__ */ draw('M12 5v14M5 12h14');
const RotateCw = /* @__PURE__ */ draw('M20 4v5h-5m5 0a9 9 0 1 0 1 5');
const Settings = /* @__PURE__ */ draw(
  'M4 7h6m6 0h4M4 17h4m6 0h6M16 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0m-2 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0',
);
const ShieldCheck = /* @__PURE__ */ draw('M12 2l8 3v7q0 7-8 10-8-3-8-10V5zM9 12l2 2 4-4');
const SunMoon = /* @__PURE__ */ draw(
  'M12 8a4 4 0 1 0 4 4q-4 0-4-4m0-6v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12l1 1M5 19l1-1M18 6l1-1',
);
const TriangleAlert = /* @__PURE__ */ draw('M12 3L1.5 21h21zM12 10v4m0 3h0');
const UserRound = /* @__PURE__ */ draw(`${head}M4 21a8 8 0 0 1 16 0`);
const UserRoundPlus = /* @__PURE__ */ draw('M14 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M2 21a8 8 0 0 1 14-5m3-1v6m-3-3h6');

export {
  ArrowBigUp,
  ArrowLeft,
  Bell,
  Check,
  CircleAlert,
  CircleUserRound,
  Ellipsis,
  Eye,
  EyeOff,
  type IconProps,
  KeyRound,
  LogIn,
  LogOut,
  MonitorSmartphone,
  Plus,
  RotateCw,
  Settings,
  ShieldCheck,
  SunMoon,
  TriangleAlert,
  UserRound,
  UserRoundPlus,
};
