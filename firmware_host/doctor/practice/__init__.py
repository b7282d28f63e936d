"""Where the doctor works: looks with the probes, walks with people, measures, and packs bundles."""
