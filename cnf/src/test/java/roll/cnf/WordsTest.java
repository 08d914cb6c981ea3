package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The house style of everything that people read: {@code cnf/words.txt} and the rules below. */
class WordsTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final int LONGEST_SENTENCE = 40;
  private static final int MOST_WORDS = 60_000;
  private static final int README_LINES = 110;

  /** First words after which a reader does not know what the sentence is about. */
  private static final Pattern VAGUE =
      Pattern.compile(
          "(That|Those|What|It|They|Its|Who|Whose|Not|None|How|So|Where|Which|Of|Says|Tells"
              + "|Nobody|These|Nothing|Something|As|Lets|Has|Is)\\b.*");

  private static final Pattern NO_PROSE = Pattern.compile("`[^`]*`|\\{@\\w+ [^}]*}|\\([^)]*\\)");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.:;!?])\\s|\\s@(?=[a-z]+ )");

  private static List<Passage> passages = List.of();

  @BeforeAll
  static void read() throws IOException {
    passages = Passage.all(ROOT);
    assertTrue(passages.size() > 30_000, () -> "found only " + passages.size() + " passages");
  }

  @Test
  void noPassageHasAPhraseOfTheList() throws IOException {
    Pattern exempt = WordRule.exempt(ROOT);
    List<Passage> checked =
        passages.stream()
            .filter(p -> p.kind() != Passage.Kind.STRING || !p.at().contains("/test/"))
            .filter(p -> !exempt.matcher(p.at().replaceFirst(":\\d+$", "")).matches())
            .toList();
    List<String> found = new ArrayList<>();
    for (WordRule rule : WordRule.all(ROOT)) {
      checked.forEach(passage -> rule.check(passage, found));
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void eachRuleFindsItsExample() throws IOException {
    for (WordRule rule : WordRule.all(ROOT)) {
      List<Passage> example = new ArrayList<>();
      Passage.java("A.java", "/** A " + rule.example() + " b. */ class A {}", example);
      List<String> found = new ArrayList<>();
      example.forEach(passage -> rule.check(passage, found));
      assertEquals(1, found.size(), rule.phrase().pattern());
    }
  }

  @Test
  void javadocBeginsWithItsSubject() {
    assertEquals("", vague(passages));
  }

  @Test
  void vagueJavadocIsFound() {
    List<Passage> example = new ArrayList<>();
    Passage.java("A.java", "class A {\n  /**\n   * Those of {@code a}.\n   */\n}", example);
    assertEquals("A.java:2: begins with \"Those\": Those of {@code a}.", vague(example));
  }

  private static String vague(List<Passage> passages) {
    List<String> found = new ArrayList<>();
    for (Passage passage : passages) {
      if (passage.kind() == Passage.Kind.JAVADOC && VAGUE.matcher(passage.text()).matches()) {
        String first = passage.text().split("\\W", 2)[0];
        found.add(passage.at() + ": begins with \"" + first + "\": " + passage.text());
      }
    }
    return String.join("\n", found);
  }

  @Test
  void noSentenceIsTooLong() {
    assertEquals("", tooLong(passages));
  }

  @Test
  void aLongSentenceIsFound() {
    String sentence = "word ".repeat(LONGEST_SENTENCE) + "end.";
    Passage passage = new Passage("a.md:1", Passage.Kind.MARKDOWN, "Short. " + sentence);
    assertEquals("a.md:1: 41 words: " + sentence, tooLong(List.of(passage)));
  }

  private static String tooLong(List<Passage> passages) {
    List<String> found = new ArrayList<>();
    for (Passage passage : passages) {
      if (passage.kind() == Passage.Kind.STRING || passage.kind() == Passage.Kind.LINE) {
        continue; // data, or code
      }
      String prose = NO_PROSE.matcher(passage.text()).replaceAll("x");
      for (String sentence : SENTENCE_END.splitAsStream(prose).toList()) {
        int words = sentence.strip().split("\\s+").length;
        if (words > LONGEST_SENTENCE && !sentence.contains("|")) {
          found.add(passage.at() + ": " + words + " words: " + sentence);
        }
      }
    }
    return String.join("\n", found);
  }

  @Test
  void documentsAreShort() throws IOException {
    long words =
        passages.stream()
            .filter(passage -> passage.kind() == Passage.Kind.MARKDOWN)
            .mapToLong(passage -> passage.text().split("\\s+").length)
            .sum();
    assertTrue(words <= MOST_WORDS, () -> words + " words of Markdown, at most " + MOST_WORDS);
    int lines = Files.readAllLines(ROOT.resolve("README.md")).size();
    assertTrue(lines <= README_LINES, () -> "README.md has " + lines + " lines");
  }
}
