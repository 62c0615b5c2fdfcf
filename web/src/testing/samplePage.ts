import type { PageOf, RouteName } from "../page.ts";

/** The page of a route as the server embeds it, with the data a test gives. */
export function samplePage<R extends RouteName>(route: R, url: string, data: unknown): PageOf<R> {
  return {
    route,
    url,
    status: 200,
    redirect: null,
    data,
    head: {
      title: "",
      description: "",
      keywords: null,
      canonical: null,
      robots: "noindex,nofollow",
      prev: null,
      next: null,
      alternates: [],
      image: null,
    },
    chrome: {
      brand: null,
      brand_name: "Amber",
      countries: [],
      dev_tools: false,
      test_payments: false,
      downloads: "",
      lang: "en",
      rating: "",
      support_email: null,
      maintenance: false,
      variant: "standard",
    },
  } as never;
}
