import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { HandOver } from "./paymentMachine.ts";
import { type LoadStripe, loadFromStripe, type MountedElements, mountElements } from "./stripeElements.ts";

interface StripeFormProps {
  formId: string;
  publishableKey: string;
  clientSecret: string;
  /** Where the page of a bank or wallet sends the payer back to. */
  returnUrl: string;
  locked: boolean;
  /** Why the last try failed; stands above the fields. */
  notice: ReactNode;
  /** The Pay button, there once the fields are. */
  act: ReactNode;
  onPay: (handOver: HandOver) => void;
  load?: LoadStripe;
}

/** Stripe's form: wallets, cards and whatever methods the account offers. What is typed stays in Stripe's own frames. */
export function StripeForm(props: StripeFormProps) {
  const { t } = useI18n();
  const { locked, onPay } = props;
  const { standing, hasWallets, walletsPlace, methodsPlace, mounted, retry } = useElements(props);
  const [incomplete, setIncomplete] = useState(false);
  const checking = useRef(false);
  const pay = async () => {
    const form = mounted.current;
    if (form === null || locked || checking.current) return;
    checking.current = true;
    const complete = await form.isComplete().catch(() => false);
    checking.current = false;
    setIncomplete(!complete);
    if (complete) onPay(form.handOver);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void pay();
  };
  return (
    <>
      <form id={props.formId} className="stack pay-form" noValidate inert={locked} onSubmit={submit}>
        {incomplete ? <Banner kind="error">{t("payment.stripe_incomplete")}</Banner> : props.notice}
        {standing === "away" ? <Away onRetry={retry} /> : null}
        {standing === "loading" ? <Coming /> : null}
        <div hidden={standing === "away"}>
          <div ref={walletsPlace} style={{ marginBottom: hasWallets ? 20 : 0 }} />
          <div ref={methodsPlace} />
        </div>
      </form>
      {standing === "ready" ? props.act : null}
    </>
  );
}

/** The fields are on their way. */
function Coming() {
  const { t } = useI18n();
  return (
    <div className="stack g16" aria-busy="true">
      <p role="status" className="soft">
        {t("payment.stripe_loading")}
      </p>
      <Skeleton height={48} radius={8} />
      <Skeleton height={48} radius={8} />
    </div>
  );
}

function Away({ onRetry }: { onRetry: () => void }) {
  const { t } = useI18n();
  return (
    <div className="stack g16">
      <Banner kind="error">
        <strong>{t("payment.stripe_away_title")}</strong>
        {spaceAfter(t("payment.stripe_away_title"))}
        {t("payment.stripe_away_text")}
      </Banner>
      <Button look="primary" onClick={onRetry}>
        {t("payment.try_again")}
      </Button>
    </div>
  );
}

type Standing = "loading" | "ready" | "away";

/** A network that swallows everything reports no error: after this long the form says so itself, in milliseconds. */
const PATIENCE_MS = 20_000;

function useElements({ publishableKey, clientSecret, returnUrl, onPay, load = loadFromStripe }: StripeFormProps) {
  const { lang } = useI18n();
  const [standing, setStanding] = useState<Standing>("loading");
  const [hasWallets, setHasWallets] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const walletsPlace = useRef<HTMLDivElement>(null);
  const methodsPlace = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedElements | null>(null);
  // Stripe's elements outlive the drawings of this form.
  const latestPay = useRef(onPay);
  useEffect(() => {
    latestPay.current = onPay;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads all of it again
  useEffect(() => {
    const visit = { left: false };
    const become = (next: Standing) => {
      if (!visit.left) setStanding(next);
    };
    const timer = setTimeout(() => become("away"), PATIENCE_MS);
    const settle = (next: Standing) => {
      clearTimeout(timer);
      become(next);
    };
    const open = async () => {
      const stripe = await load(publishableKey);
      const [wallets, methods] = [walletsPlace.current, methodsPlace.current];
      if (visit.left || wallets === null || methods === null) return;
      if (stripe === null) return settle("away");
      const terms = { clientSecret, locale: lang, returnUrl };
      mounted.current = mountElements(
        stripe,
        terms,
        { wallets, methods },
        {
          onReady: () => settle("ready"),
          onAway: () => settle("away"),
          onWallets: setHasWallets,
          onWalletPay: (handOver) => latestPay.current(handOver),
        },
      );
    };
    become("loading");
    open().catch(() => settle("away"));
    return () => {
      visit.left = true;
      clearTimeout(timer);
      mounted.current?.leave();
      mounted.current = null;
    };
  }, [attempt, publishableKey, clientSecret, returnUrl, lang, load]);
  const retry = () => setAttempt((n) => n + 1);
  useEffect(() => {
    if (standing !== "away") return;
    const online = () => setAttempt((n) => n + 1);
    window.addEventListener("online", online);
    return () => window.removeEventListener("online", online);
  }, [standing]);
  return { standing, hasWallets, walletsPlace, methodsPlace, mounted, retry };
}
