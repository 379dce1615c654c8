"""Sending a mail by the server of the settings."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage

from app.settings import Settings
from app.teams.notifying.webhook import TIMEOUT_S, DeliveryError


def send_mail(settings: Settings, recipient: str, subject: str, text: str) -> None:
    """
    Raises
    ------
    DeliveryError : the mail server cannot be reached or does not take it
    """
    message = EmailMessage()
    message["From"], message["To"] = settings.mail_from, recipient
    message["Subject"] = " ".join(subject.split())[:200]
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no one's absence answers it
    message.set_content(text)
    password = settings.smtp_password.get_secret_value()
    context = ssl.create_default_context()
    try:
        with (
            smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT_S, context=context)
            if settings.smtp_security == "tls"
            else smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT_S)
        ) as server:
            if settings.smtp_security == "starttls":
                server.starttls(context=context)
            if settings.smtp_user:
                server.login(settings.smtp_user, password)
            server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        raise DeliveryError(f"The mail server did not take it: {error}") from None
