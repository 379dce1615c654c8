"""Working together: what someone changes is told to every open page, and so is who has it open."""
