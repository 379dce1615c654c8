"""Working together: what somebody changes is told to every open page, and so is who has it open."""
