package roll.api.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;

class SamplingTest {
  private static final Sampling ALL =
      new Sampling(0.5, 3, 0.9, 0.1, 1.2, 64, 4, List.of("stop"), List.of());

  @Test
  void eachSettingIsChangedAlone() {
    assertEquals(
        ALL,
        Sampling.of(64)
            .withTemperature(0.5)
            .withTopK(3)
            .withTopP(0.9)
            .withMinP(0.1)
            .withRepetitionPenalty(1.2)
            .withMinNewTokens(4)
            .withStopStrings(List.of("stop")));
    assertEquals(
        new Sampling(0.5, 3, 0.9, 0.1, 1.2, 64, 0, List.of("stop"), List.of("a", "b")),
        ALL.withMinNewTokens(0).withChoices(List.of("a", "b")));
    assertEquals(
        new Sampling(0, 0, 1, 0, 1, 7, 0, List.of(), List.of()),
        Sampling.greedy(8).withMaxNewTokens(7));
    assertEquals(
        new Sampling(
            1,
            0,
            1,
            0,
            1,
            7,
            0,
            List.of(),
            List.of(),
            Map.of(3, -100.0, 5, 2.5),
            List.of(3, 5),
            null),
        Sampling.of(7).withLogitBias(Map.of(3, -100.0, 5, 2.5)).withAllowedTokenIds(List.of(3, 5)));
  }

  @Test
  void listsAreCopied() {
    List<String> stops = new ArrayList<>(List.of("a"));
    Sampling sampling = Sampling.of(1).withStopStrings(stops);
    stops.add("b");
    assertEquals(List.of("a"), sampling.stopStrings());
  }

  @Test
  void whatIsOutOfRangeIsRefusedInOneLine() {
    assertRefused(
        "temperature: found -0.5, allowed is at least 0", () -> ALL.withTemperature(-0.5));
    assertRefused(
        "temperature: found Infinity, allowed is at least 0",
        () -> ALL.withTemperature(Double.POSITIVE_INFINITY));
    assertRefused("top_k: found -2, allowed is at least 0; 0 keeps all", () -> ALL.withTopK(-2));
    assertRefused("top_p: found 0.0, allowed is above 0 and at most 1", () -> ALL.withTopP(0));
    assertRefused("top_p: found 1.5, allowed is above 0 and at most 1", () -> ALL.withTopP(1.5));
    assertRefused("min_p: found -0.1, allowed is from 0 to 1", () -> ALL.withMinP(-0.1));
    assertRefused("min_p: found NaN, allowed is from 0 to 1", () -> ALL.withMinP(Double.NaN));
    assertRefused(
        "repetition_penalty: found 0.0, allowed is above 0; 1 changes nothing",
        () -> ALL.withRepetitionPenalty(0));
    assertRefused("max_new_tokens: found 0, allowed is at least 1", () -> ALL.withMaxNewTokens(0));
    assertRefused(
        "min_new_tokens: found -1, allowed is at least 0", () -> ALL.withMinNewTokens(-1));
    assertRefused(
        "stop_strings: found an empty text, allowed is a text",
        () -> ALL.withStopStrings(List.of("a", "")));
    assertRefused(
        "choices: found an empty text, allowed is a text", () -> ALL.withChoices(List.of("")));
    assertRefused(
        "min_new_tokens: found 4, allowed is 0 with choices", () -> ALL.withChoices(List.of("a")));
    assertRefused(
        "structured_outputs: found Regex[pattern=a], allowed is none with choices,"
            + " allowed_token_ids or min_new_tokens",
        () -> ALL.withStructuredOutput(new StructuredOutput.Regex("a")));
    assertRefused(
        "logit_bias.7: found 100.5, allowed is from -100 to 100",
        () -> ALL.withLogitBias(Map.of(7, 100.5)));
    assertRefused(
        "logit_bias.7: found NaN, allowed is from -100 to 100",
        () -> ALL.withLogitBias(Map.of(7, Double.NaN)));
    assertRefused(
        "allowed_token_ids: found [7], allowed is none with choices",
        () -> Sampling.of(1).withChoices(List.of("a")).withAllowedTokenIds(List.of(7)));
  }

  private static void assertRefused(String message, Supplier<Sampling> change) {
    assertEquals(message, assertThrows(UserException.class, change::get).getMessage());
  }
}
