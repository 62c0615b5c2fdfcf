/**
 * The shapes that travel between the server and the browser. All but the envelope are made from the document the server
 * serves (`make contract`): to change one, change the server. Amounts named `…_minor` are whole minor units; prices of
 * v0 answers are decimal numbers (X5); times are RFC 3339 in UTC.
 */
import type * as served from "./served.ts";

/** The envelope (X4). The document names it once for each answer. */
export interface Success<T> {
  message: "success";
  data: T;
  /** Log position of the answer to a command; sent back as `x-latchkey-position` so that the next read sees it (X9). */
  position?: number;
}

export type Failure = served.Failure;
export type FieldError = served.FieldError;
export type ListMeta = served.ListMeta;

/** A page of a list. */
export interface List<T> {
  meta: ListMeta;
  result: T[];
}

export type PagePayload = served.PagePayload;
export type Lang = served.Lang;
export type Head = served.Head;
export type Chrome = served.Chrome;
export type CountryMenu = served.CountryMenu;
export type HomePage = served.HomePage;
export type SearchPage = served.SearchPage;
export type PropertyPage = served.PropertyPage;
export type BookingFormPage = served.BookingFormPage;
export type PaymentEntryPage = served.PaymentEntryPage;
export type PaymentTokenPage = served.PaymentTokenPage;
export type PaymentCompletePage = served.PaymentCompletePage;

export type Period = served.Period;
export type Price = served.Price;
export type RegionType = served.RegionType;
export type Region = served.Region;
export type RegionLink = served.RegionLink;
export type Badge = served.Badge;
export type Travel = served.Travel;
export type InventoryCard = served.InventoryCard;
export type SearchMeta = served.SearchMeta;
export type FacetValue = served.FacetValue;
export type Facets = served.Facets;
export type MapPin = served.MapPin;
export type SearchResult = served.SearchResult;
export type SuggestResult = served.SuggestResult;
export type SuggestItem = served.SuggestItem;
export type RoomOption = served.RoomOption;
export type RoomType = served.RoomType;
export type Offer = served.Offer;
export type Review = served.Review;
export type PriceTrendPoint = served.PriceTrendPoint;
/** What a property page offers; documents are asked for by the profile alone. */
export type UserAction = Exclude<served.NextActionKey, "add_documents">;
export type UserHistory = served.UserHistory;

export type LeadVariant = served.LeadVariant;
export type LeadPayload = served.LeadPayload;
export type SourceDetails = served.SourceDetails;
export type Lead = served.Lead;
export type SectionKey = served.SectionKey;
export type CustomForm = served.CustomForm;
export type BookingForm = served.BookingForm;
export type SentDocument = served.SentDocument;

export type PaymentType = served.PaymentType;
export type PaymentStatus = served.PaymentStatus;
export type DeclineCode = served.DeclineCode;
export type Payment = served.Payment;
export type Receipt = served.Receipt;
export type ReceiptFacts = served.ReceiptFacts;
export type ReceiptVerdict = served.ReceiptVerdict;

export type CaseAct = served.CaseAct;
export type LeadAct = served.LeadAct;
export type LeadActKind = served.LeadActKind;
export type LeadCloseCause = served.LeadCloseCause;
export type FileCompared = served.FileCompared;
export type FileLine = served.FileLine;
export type FileVerdict = served.FileVerdict;
export type Why = served.Why;
export type LeadDesk = served.LeadDesk;
export type BookingChoice = served.BookingChoice;
export type WhatIf = served.WhatIf;
export type WhatIfAct = served.WhatIfAct;
export type WhatIfApplied = served.WhatIfApplied;
export type WhatIfConditions = served.WhatIfConditions;
export type WhatIfStep = served.WhatIfStep;
export type RefundRequest = served.RefundRequest;
export type MessageChannel = served.MessageChannel;
export type StaffCase = served.StaffCase;
export type StaffMessage = served.StaffMessage;
export type CaseTopic = served.CaseTopic;
export type CaseStatus = served.CaseStatus;
export type CaseMessage = served.CaseMessage;
export type OwnCase = served.OwnCase;
export type OwnCaseThread = served.OwnCaseThread;
export type CaseItem = served.CaseItem;
export type MessageTemplate = served.MessageTemplate;
export type CaseView = served.CaseView;
export type CaseListPage = served.CaseListPage;
export type OtpSent = served.OtpSent;
export type MessageSettings = served.MessageSettings;
export type MessageWay = served.MessageWay;
export type User = served.User;
export type Role = served.Role;
export type ProofChallenge = served.ProofChallenge;
export type ActivityLead = served.ActivityLead;
export type Activity = served.Activity;
export type EarlierAnswers = served.EarlierAnswers;

export type WorkspaceMe = served.WorkspaceMe;
export type LeadRow = served.LeadRow;
export type LeadListPage = served.LeadListPage;
export type DeskReport = served.DeskReport;
export type ReportGroup = served.ReportGroup;
export type LeadStory = served.LeadStory;
export type LeadView = served.LeadView;
export type NewLeadView = served.NewLeadView;
export type UnderstoodPart = served.UnderstoodPart;
export type StreamKind = served.StreamKind;
export type TimelineEvent = served.TimelineEvent;
export type LeadTimeline = served.LeadTimeline;
export type LeadOutline = served.LeadOutline;
export type LeadEvents = served.LeadEvents;
export type RawEvent = served.RawEvent;
export type Revealed = served.Revealed;
export type DocumentLinkMade = served.DocumentLinkMade;
export type LeadDocument = served.LeadDocument;
export type LeadForm = served.LeadForm;
export type Letter = served.Letter;
export type ForgetRequest = served.ForgetRequest;

export type AuditRow = served.AuditRow;
export type CurrencyTotals = served.CurrencyTotals;
export type AuditPage = served.AuditPage;
export type LedgerLine = served.LedgerLine;
export type RefundBody = served.RefundBody;
export type DisputeEvidence = served.DisputeEvidence;
export type EvidenceDispute = served.EvidenceDispute;
export type SendEvidenceBody = served.SendEvidenceBody;
export type CancelBookingBody = served.CancelBookingBody;
export type PaymentLinks = served.PaymentLinks;
export type WaitlistView = served.WaitlistView;
export type PriceLock = served.PriceLock;
export type PaymentLinkRow = served.PaymentLinkRow;
export type BookingLink = served.BookingLink;
export type FailedRefund = served.FailedRefund;
export type PersonPayment = served.PersonPayment;
export type OpenReward = served.OpenReward;
export type WaitingDecisions = served.WaitingDecisions;
export type AwaitedRoom = served.AwaitedRoom;
export type WorkspacePlace = served.WorkspacePlace;
export type NewPaymentLink = served.NewPaymentLink;
export type RefundConsequence = served.RefundConsequence;
export type PaymentDossier = served.PaymentDossier;
export type ReadModels = served.ReadModels;
export type DataRead = served.DataRead;
export type DataReader = served.DataReader;
export type DataReads = served.DataReads;
export type OwnDataRead = served.OwnDataRead;
export type ModelHealth = served.ModelHealth;
export type QueueHealth = served.QueueHealth;
export type SystemHealth = served.SystemHealth;
export type SiteSetting = served.SiteSetting;
export type SecondFactorOffer = served.SecondFactorOffer;
export type SecondFactorState = served.SecondFactorState;
export type RecoveryCodes = served.RecoveryCodes;
export type RoleGrant = served.RoleGrant;
export type ProviderAccount = served.ProviderAccount;
export type ProviderLine = served.ProviderLine;
export type ProviderPayout = served.ProviderPayout;
export type UnknownNotice = served.UnknownNotice;
export type DismissReason = served.DismissReason;
export type ReadModelStanding = served.ReadModelStanding;
export type TakenIn = served.TakenIn;
export type PutBack = served.PutBack;
export type ChainStatus = served.ChainStatus;
export type BookReport = served.BookReport;
export type BookCurrency = served.BookCurrency;
export type BookPosting = served.BookPosting;
export type BookPostings = served.BookPostings;
export type Approval = served.Approval;
export type Reconciliation = served.Reconciliation;
export type ReconciliationException = served.ReconciliationException;
export type FinanceAlert = served.FinanceAlert;

export type MirrorPage = served.MirrorPage;
export type MirrorState = served.MirrorState;
export type MirrorGuard = served.MirrorGuard;
export type MirrorReport = served.MirrorReport;
export type MirrorCode = served.MirrorCode;
export type MirrorEnd = served.MirrorEnd;
export type MirrorNudge = served.MirrorNudge;
export type Nudge = served.Nudge;
export type OwnMirror = served.OwnMirror;
export type StaffMirror = served.StaffMirror;
