package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;

/** When stop strings, least lengths and choices end a response. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StopConditionsTest {
  private static final int[] PROMPT = Stories.prompts(5).getLast();

  private final Stories stories = new Stories();
  private final InferSession session = stories.open(8);
  private final Tokenizer tokenizer = stories.tokenizer();

  @AfterAll
  void close() {
    session.close();
    tokenizer.close();
    stories.close();
  }

  private Generation greedy(Sampling sampling) {
    return Stories.one(session, Stories.request(PROMPT, sampling, 1));
  }

  private String text(int[] tokens) {
    return tokenizer.decode(tokens, false);
  }

  @Test
  void theTokenThatCompletesAStopStringIsTheLast() {
    Sampling plain = Sampling.greedy(60);
    int[] whole = greedy(plain).tokens();
    for (String stop : List.of("girl", "tle g", ".", "Lily. She", "y")) {
      Generation stopped = greedy(plain.withStopStrings(List.of("never", stop)));
      int[] tokens = stopped.tokens();
      assertTrue(stopped.stopped());
      assertTrue(text(tokens).contains(stop), text(tokens));
      assertArrayEquals(Arrays.copyOf(whole, tokens.length), tokens);
      String before = text(Arrays.copyOf(tokens, tokens.length - 1));
      assertFalse(before.contains(stop), before);
    }
    assertFalse(greedy(plain.withStopStrings(List.of("never"))).stopped());
  }

  @Test
  void beforeTheLeastLengthNothingEndsAResponse() {
    Sampling plain = Sampling.greedy(60);
    int[] whole = greedy(plain).tokens();
    Generation late = greedy(plain.withStopStrings(List.of("l")).withMinNewTokens(20));
    assertTrue(late.stopped());
    assertTrue(late.tokens().length >= 20);
    assertTrue(text(new int[] {late.tokens()[late.tokens().length - 1]}).contains("l"));
    assertArrayEquals(Arrays.copyOf(whole, late.tokens().length), late.tokens());

    int stop = whole[6];
    GenerationRequest request =
        new GenerationRequest(PROMPT, plain.withMinNewTokens(30), List.of(stop), 1);
    int[] tokens = Stories.one(session, request).tokens();
    assertTrue(tokens.length >= 30);
    assertFalse(Arrays.stream(tokens).limit(30).anyMatch(token -> token == stop));
  }

  @Test
  void onlyChoicesAreWrittenAndTheirProbabilitiesSumToOne() {
    List<String> choices = List.of("yes", "no", "yes sir", "nobody");
    Sampling sampling = Sampling.of(20).withTemperature(30).withChoices(choices);
    GenerationRequest request = new GenerationRequest(PROMPT, sampling, List.of(2), 7);
    Map<String, Double> found = new TreeMap<>();
    for (Generation generation : session.generate(request.sequences(64)).join()) {
      assertTrue(generation.stopped());
      double logProb = Arrays.stream(generation.samplingLogProbs()).sum();
      found.merge(text(generation.tokens()), Math.exp(logProb), (a, b) -> b);
    }
    assertEquals(List.of("no", "nobody", "yes", "yes sir"), List.copyOf(found.keySet()));
    assertEquals(1, found.values().stream().mapToDouble(p -> p).sum(), 1e-5);
  }

  @Test
  void aChoiceEndsByItselfOrIsCutOff() {
    int[] tokens = tokenizer.encode("a blue house");
    Sampling only = Sampling.greedy(20).withChoices(List.of("a blue house", "a blue house"));
    Generation whole = greedy(only);
    assertArrayEquals(tokens, whole.tokens());
    assertTrue(whole.stopped());
    assertArrayEquals(new double[tokens.length], whole.samplingLogProbs());
    assertTrue(Arrays.stream(whole.logProbs()).allMatch(logProb -> logProb < 0));
    Generation cut = greedy(only.withMaxNewTokens(2));
    assertArrayEquals(Arrays.copyOf(tokens, 2), cut.tokens());
    assertFalse(cut.stopped());
  }

  @Test
  void choicesThatCannotBeToldApartAreRefused() {
    Sampling sampling = Sampling.greedy(20).withChoices(List.of("yes", "yes sir"));
    assertRefused(
        sampling,
        List.of(),
        "choices: one of 'yes', 'yes sir' is a prefix of another, and no stop token can end it");
    int within = tokenizer.encode("yes sir")[0];
    assertRefused(
        sampling, List.of(within), "choices: one of 'yes', 'yes sir' contains a stop token");
  }

  @Test
  void aResponseThatCannotContinueEnds() {
    Sampling two = Sampling.of(20).withStructuredOutput(new StructuredOutput.Regex("[a-z]{2}"));
    GenerationRequest request = Stories.request(PROMPT, two, 3);
    for (Generation generation : session.generate(request.sequences(32)).join()) {
      assertTrue(generation.stopped());
      assertTrue(text(generation.tokens()).matches("[a-z]{2}"), text(generation.tokens()));
    }
    Sampling any = Sampling.of(200).withStructuredOutput(new StructuredOutput.Regex("[a-z]{0,9}"));
    for (Generation generation :
        session.generate(new GenerationRequest(PROMPT, any, List.of(2), 3).sequences(32)).join()) {
      String text = text(generation.tokens());
      assertTrue(generation.stopped());
      assertTrue(text.matches("[a-z]{0,9}"), text);
      boolean end = generation.tokens()[generation.tokens().length - 1] == 2;
      assertEquals(text.length() < 9, end, text);
    }
    assertRefused(
        any,
        List.of(),
        "structured_outputs: a text may continue another, and no stop token can end it");
    assertRefused(
        any.withStructuredOutput(new StructuredOutput.Regex("a)")),
        List.of(2),
        "structured_outputs.regex: at character 2: ')' without '('");
  }

  @Test
  void tokensThatCannotBeSampledAreRefused() {
    Sampling plain = Sampling.greedy(20);
    String where = "token 512 is outside the vocabulary of " + stories.folder().path();
    assertRefused(
        plain.withLogitBias(Map.of(512, 1.0)), List.of(), "logit_bias: " + where + " (0 to 511)");
    assertRefused(
        plain.withAllowedTokenIds(List.of(3, 512)),
        List.of(),
        "allowed_token_ids: " + where + " (0 to 511)");
    assertRefused(
        plain.withAllowedTokenIds(List.of(2)).withMinNewTokens(1),
        List.of(2),
        "allowed_token_ids: found [2], none of which may be sampled before min_new_tokens");
  }

  private void assertRefused(Sampling sampling, List<Integer> stops, String message) {
    GenerationRequest request = new GenerationRequest(PROMPT, sampling, stops, 1);
    CompletionException failure =
        assertThrows(CompletionException.class, () -> session.generate(List.of(request)).join());
    assertEquals(message, ((UserException) failure.getCause()).getMessage());
  }
}
