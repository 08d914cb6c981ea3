package roll.env.click_and_read.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
  @Test
  void caseArticlesPunctuationAndSpaceMakeNoDifference() {
    assertEquals("dark blue", Answers.normalised("  The Dark,\n  blue. "));
    assertEquals("48200", Answers.normalised("48,200"));
    assertEquals("theatre an1", Answers.normalised("A theatre an1"));
    assertEquals("", Answers.normalised("The a!"));
  }

  @Test
  void overlapIsTheF1OfTheWords() {
    assertEquals(1, Answers.overlap("the Dark blue!", List.of("dark blue")));
    // one of two given words, one of two right words
    assertEquals(0.5, Answers.overlap("dark red", List.of("dark blue")));
    // precision 1, recall 1/2
    assertEquals(2.0 / 3, Answers.overlap("blue", List.of("dark blue")), 1e-12);
    // a word counts as often as it is right
    assertEquals(0.5, Answers.overlap("blue blue blue", List.of("blue")));
    assertEquals(0, Answers.overlap("1913", List.of("1912")));
    assertEquals(0, Answers.overlap("...", List.of("1912")));
    assertEquals(1, Answers.overlap("azure", List.of("dark blue", "azure")));
  }

  @Test
  void withinMeansWholeWords() {
    assertTrue(Answers.within("Dark Blue", "It is painted a dark, blue tone."));
    assertFalse(Answers.within("191", "In 1912."));
  }
}
