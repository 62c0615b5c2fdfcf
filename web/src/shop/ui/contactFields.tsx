import { useI18n } from "../../i18n/i18n.tsx";
import { emailFault, type Fault, nameFault, phoneFault } from "./contact.ts";
import { TextField } from "./field.tsx";
import { PhoneField } from "./phoneField.tsx";

/** How somebody new is reached. */
export interface Contact {
  name: string;
  email: string;
  phoneCode: string;
  number: string;
}

/** What is wrong with each part of a contact. */
export function contactFaults(contact: Contact): { name: Fault | null; email: Fault | null; phone: Fault | null } {
  return {
    name: nameFault(contact.name),
    email: emailFault(contact.email),
    phone: phoneFault(contact.phoneCode, contact.number),
  };
}

interface ContactFieldsProps<C extends Contact> {
  /** The id of the phone's field. */
  phoneId: string;
  labels: { name: string; email: string; phone: string };
  contact: C;
  /** Faults are said once the form was sent. */
  checked: boolean;
  onChange: (contact: C) => void;
}

/** Name, e-mail and phone of somebody new. */
export function ContactFields<C extends Contact>(props: ContactFieldsProps<C>) {
  const { phoneId, labels, contact, checked, onChange } = props;
  const { t } = useI18n();
  const faults = contactFaults(contact);
  const said = (fault: Fault | null) => (checked && fault ? t(fault) : null);
  return (
    <>
      <TextField
        className="span2"
        label={labels.name}
        autoComplete="name"
        value={contact.name}
        error={said(faults.name)}
        onChange={(event) => onChange({ ...contact, name: event.target.value })}
      />
      <TextField
        label={labels.email}
        type="email"
        autoComplete="email"
        value={contact.email}
        error={said(faults.email)}
        onChange={(event) => onChange({ ...contact, email: event.target.value })}
      />
      <PhoneField
        id={phoneId}
        label={labels.phone}
        phoneCode={contact.phoneCode}
        number={contact.number}
        error={said(faults.phone)}
        onPhoneCode={(phoneCode) => onChange({ ...contact, phoneCode })}
        onNumber={(number) => onChange({ ...contact, number })}
      />
    </>
  );
}
