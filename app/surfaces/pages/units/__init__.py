"""Units in which a person reads figures: chosen on a page, kept in a cookie and with the account."""
