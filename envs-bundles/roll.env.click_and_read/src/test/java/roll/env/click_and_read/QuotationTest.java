package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import roll.api.env.Step;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.SupportingSentence;

/** The sentence that the expert quotes before an answer. */
class QuotationTest {
  private static final String ACTION = "((?:click|answer)\\[[^\\]]*\\]|\\bback\\b)";

  private static final Page MILL =
      Sites.page(
          """
          <title>Oak Mill</title><h1>Built of oak: the Oak Mill</h1>
          <p>The Oak Mill was opened in 1830. The Oak Mill is built of oak! The Ash Mill is built of
          oak.</p><p>Nothing else is built of Oak</p>\
          """);

  @Test
  void ofSentencesWithTheAnswerTheOneMostLikeTheQuestion() {
    assertEquals(
        Optional.of("The Oak Mill is built of oak!"),
        SupportingSentence.of(MILL, "What is the Oak Mill built of?", "oak"));
    assertEquals(
        Optional.of("The Oak Mill was opened in 1830."),
        SupportingSentence.of(MILL, "When was it opened?", "1830"));
  }

  @Test
  void whatStandsNowhereIsNotQuoted() {
    assertEquals(
        Optional.empty(), SupportingSentence.of(MILL, "What is the Oak Mill built of?", "slate"));
    assertEquals(Optional.empty(), SupportingSentence.of(MILL, "When was it opened?", "183"));
  }

  /** On every site the quoted sentence names the place, and the action behind it is found. */
  @Test
  void theExpertQuotesAndIsUnderstood() {
    Map<String, Object> config =
        Map.of("quotes", true, "click_by", "words", "action_pattern", ACTION);
    for (int seed = 0; seed < 60; seed++) {
      ClickAndReadEpisode visit = Sites.episode(config, seed);
      String place = visit.task().subject();
      String answer = visit.task().answers().getFirst();
      for (int i = 0; i < 2; i++) {
        String click = visit.expert().orElseThrow();
        assertEquals(click, visit.respond(click));
        visit.step(click);
      }
      String action = visit.expert().orElseThrow();
      String response = visit.respond(action);
      assertTrue(response.startsWith("The " + place + " "), response);
      assertTrue(response.endsWith(". answer[" + answer + "]"), response);
      Step last = visit.step(response);
      assertEquals(1.0, last.metrics().get("success"), response);
    }
  }

  @Test
  void withoutTheOptionNothingIsQuoted() {
    ClickAndReadEpisode visit = Sites.episode(Map.of("action_pattern", ACTION), 3);
    assertEquals("answer[slate]", visit.respond("answer[slate]"));
  }
}
