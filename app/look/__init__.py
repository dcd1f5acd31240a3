"""How everything looks: tokens, fonts, icons, and numbers as text."""
