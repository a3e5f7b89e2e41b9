"""What every game shares: protocols, chance, records, errors. No input or output happens here."""
