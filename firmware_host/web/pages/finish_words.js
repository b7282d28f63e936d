// What the page of the photo finish says; the pictures have their own words. After the first brace this is JSON.
export const WORDS = {
  "no-finish": {"de": "Noch war kein Rennen knapp. Sobald zwei dasselbe wollen, steht es hier.", "en": "No close finish yet. As soon as two want the same thing, it is here.", "fr": "Pas encore d'arrivée serrée. Dès que deux veulent la même chose, ce sera ici.", "it": "Ancora nessun arrivo serrato. Appena due vogliono la stessa cosa, sarà qui.", "nl": "Nog geen nipte finish. Zodra twee hetzelfde willen, staat het hier.", "es": "Aún no hay llegada ajustada. En cuanto dos quieran lo mismo, saldrá aquí."},
  "newest": {"de": "Zum neuesten", "en": "Show the newest", "fr": "Voir le dernier", "it": "Mostra l'ultimo", "nl": "Toon de nieuwste", "es": "Ver el último"},
  "save-svg": {"de": "Als SVG sichern", "en": "Save as SVG", "fr": "Enregistrer en SVG", "it": "Salva come SVG", "nl": "Opslaan als SVG", "es": "Guardar como SVG"},
  "save-png": {"de": "Als PNG sichern", "en": "Save as PNG", "fr": "Enregistrer en PNG", "it": "Salva come PNG", "nl": "Opslaan als PNG", "es": "Guardar como PNG"},
  "not-saved": {"de": "Nicht gesichert ({why}).", "en": "Not saved ({why}).", "fr": "Non enregistré ({why}).", "it": "Non salvato ({why}).", "nl": "Niet opgeslagen ({why}).", "es": "No guardado ({why})."},
  "last-finishes": {"de": "Die letzten Rennen", "en": "The last contests", "fr": "Les dernières courses", "it": "Le ultime gare", "nl": "De laatste races", "es": "Las últimas carreras"},
  "rule stamps": {"de": "klar zuerst", "en": "clearly first", "fr": "nettement premier", "it": "nettamente primo", "nl": "duidelijk eerst", "es": "claramente primero"},
  "rule early": {"de": "zu früh gedrückt", "en": "early slap", "fr": "appui trop tôt", "it": "premuto troppo presto", "nl": "te vroeg gedrukt", "es": "pulsado demasiado pronto"},
  "rule overlap": {"de": "überlappend", "en": "overlapping", "fr": "recouvrement", "it": "sovrapposti", "nl": "overlappend", "es": "solapados"},
  "rule fewest-ties": {"de": "Patt: weniger gewonnen", "en": "dead heat: fewer won", "fr": "ex aequo : moins gagnés", "it": "pari: meno vinti", "nl": "gelijk: minder gewonnen", "es": "empate: menos ganados"},
  "rule draw": {"de": "Patt: Los", "en": "dead heat: by lot", "fr": "ex aequo : tirage", "it": "pari: sorteggio", "nl": "gelijk: loting", "es": "empate: sorteo"}
};
