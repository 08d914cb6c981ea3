package roll.env.click_and_read.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerMatchTest {
  @Test
  void caseArticlesPunctuationAndSpaceMakeNoDifference() {
    assertEquals("dark blue", AnswerMatch.normalised("  The Dark,\n  blue. "));
    assertEquals("48200", AnswerMatch.normalised("48,200"));
    assertEquals("theatre an1", AnswerMatch.normalised("A theatre an1"));
    assertEquals("", AnswerMatch.normalised("The a!"));
  }

  @Test
  void overlapIsTheF1OfTheWords() {
    assertEquals(1, AnswerMatch.overlap("the Dark blue!", List.of("dark blue")));
    // one of two given words, one of two right words
    assertEquals(0.5, AnswerMatch.overlap("dark red", List.of("dark blue")));
    // precision 1, recall 1/2
    assertEquals(2.0 / 3, AnswerMatch.overlap("blue", List.of("dark blue")), 1e-12);
    // a word counts as often as it occurs in both
    assertEquals(0.5, AnswerMatch.overlap("blue blue blue", List.of("blue")));
    assertEquals(0, AnswerMatch.overlap("1913", List.of("1912")));
    assertEquals(0, AnswerMatch.overlap("...", List.of("1912")));
    assertEquals(1, AnswerMatch.overlap("azure", List.of("dark blue", "azure")));
  }

  @Test
  void withinMeansWholeWords() {
    assertTrue(AnswerMatch.within("Dark Blue", "It is painted a dark, blue tone."));
    assertFalse(AnswerMatch.within("191", "In 1912."));
  }
}
