package roll.env.click_and_read.site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.env.click_and_read.site.SiteWords.Fact;
import roll.testkit.PhraseTokenizer;

/**
 * The tokenizer of {@code configs/models/click-and-read-words}: what generated sites say, in lower
 * case. What is always said together is one word; names are words, numbers pairs of digits.
 * Punctuation, paths, and {@code link:} before what most lines are, are left out.
 */
final class SiteTokenizer {
  /** The syntax of actions; the bracket after the number of a line is not a word. */
  private static final List<String> ACTIONS = List.of("click[", "answer[", "back", "]");

  /** The phrases of observations around the words of a site. */
  private static final List<String> FRAME =
      List.of(
          "question:",
          "page:",
          "heading:",
          "text:",
          "outside link, not clickable: tourist office",
          "guide to the region",
          "see also",
          "district",
          "available actions: click[number], answer[text]",
          "available actions: click[number], back, answer[text]",
          "(the page is cut here)",
          "notice:",
          "the answer is right",
          "the answer is not right",
          "there is no page to go back to",
          "there is no",
          "on this page",
          "is no link",
          "the whole page is shown",
          "that link leads out of this site and cannot be followed",
          "the response has no action of the kind click[number], back or answer[text]");

  private static final String WORD = "(?<![a-z0-9/.-])[a-z]+(?![a-z0-9/-]*\\.html)";
  private static final String DIGITS = "(?<![a-z])[0-9][0-9]?";

  private SiteTokenizer() {}

  /** The tokenizer, which knows all that generated sites say. */
  static PhraseTokenizer create() {
    Set<String> phrases = new LinkedHashSet<>(FRAME);
    for (Fact fact : Fact.values()) {
      Stream.of(fact.question("|"), fact.sentence("|", "|"))
          .flatMap(text -> Stream.of(text.split("\\|", -1)))
          .map(said -> said.replaceAll("[.?]", "").strip().toLowerCase(Locale.ROOT))
          .filter(said -> !said.isEmpty())
          .forEach(phrases::add);
    }
    String splitting =
        "(?:%s)(?! *(?:link|heading|text|outside))|(?<![a-z])(?:%s)(?![a-z])|(?!link:)%s|%s"
            .formatted(alternatives(ACTIONS), alternatives(phrases), WORD, DIGITS);
    // a space before each word and none between digits
    PhraseTokenizer made = new PhraseTokenizer(splitting, "^(?=[a-z(])");
    made.learn(ACTIONS);
    made.learn(phrases);
    Stream.of(
            SiteWords.FIRST,
            SiteWords.KINDS,
            SiteWords.KINDS.stream().map(GeneratedSite::plural).toList(),
            SiteWords.DISTRICTS,
            SiteWords.TOWNS,
            SiteWords.GIVEN,
            SiteWords.FAMILY,
            SiteWords.MATERIALS,
            SiteWords.DAYS,
            SiteWords.COLORS)
        .flatMap(List::stream)
        .forEach(name -> made.learn(made.words(name)));
    made.learn(IntStream.range(0, 10).mapToObj(String::valueOf).toList());
    made.learn(IntStream.range(0, 100).mapToObj("%02d"::formatted).toList());
    return made;
  }

  /** The longest first. */
  private static String alternatives(Iterable<String> texts) {
    List<String> all = new ArrayList<>();
    texts.forEach(all::add);
    return all.stream()
        .sorted(Comparator.comparing(String::length).reversed())
        .map(text -> text.replaceAll("[\\[\\]()]", "\\\\$0"))
        .collect(Collectors.joining("|"));
  }
}
