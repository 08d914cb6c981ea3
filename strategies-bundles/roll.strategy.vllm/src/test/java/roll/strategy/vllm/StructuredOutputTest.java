package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;
import roll.torch.model.Parameters;

/** Responses with a format beside free ones, in one batch, preempted and with changing weights. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StructuredOutputTest {
  private static final int STOP = 2;
  private static final Sampling FREE = Sampling.of(30);
  private static final Sampling WORDS =
      Sampling.of(30).withStructuredOutput(new StructuredOutput.Regex("((Left|Up) ?){1,4}"));
  private static final Sampling CHOICES =
      Sampling.of(30).withChoices(List.of("Left Left Up Up", "Left Up Left", "Up"));
  private static final Sampling OBJECT =
      Sampling.of(60)
          .withStructuredOutput(
              new StructuredOutput.Json(
                  """
                  {"type":"object","properties":{"move":{"enum":["Left","Up"]},
                  "sure":{"type":"boolean"},"why":{"type":"string","maxLength":5}},
                  "required":["move","sure"]}\
                  """));

  @AutoClose
  private final Tiny tiny =
      new Tiny(Path.of(System.getProperty("roll.root"), "configs/models/arithmetic-tiny"));

  @AutoClose private final Tokenizer tokenizer = tiny.tokenizer();

  private static List<GenerationRequest> requests() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      Sampling sampling = List.of(FREE, WORDS, OBJECT).get(i % 3);
      requests.add(new GenerationRequest(new int[] {i, 9, 20 + i}, sampling, List.of(STOP), i));
    }
    return requests;
  }

  private void assertFormats(List<Generation> generations) {
    int ended = 0;
    for (int i = 0; i < generations.size(); i++) {
      Generation generation = generations.get(i);
      String text = tokenizer.decode(generation.tokens(), false);
      if (!generation.stopped()) {
        continue;
      }
      ended += i % 3 == 0 ? 0 : 1;
      if (i % 3 == 1) {
        assertTrue(text.matches("((Left|Up) ?){1,4}"), text);
      } else if (i % 3 == 2) {
        JsonObject json = JsonParser.parseString(text).getAsJsonObject();
        assertTrue(List.of("Left", "Up").contains(json.get("move").getAsString()), text);
        assertTrue(json.getAsJsonPrimitive("sure").isBoolean(), text);
      }
    }
    assertEquals(16, ended);
  }

  @Test
  void formatsHoldWhateverElseIsInTheBatch() {
    List<GenerationRequest> all = requests();
    try (VllmSession alone = tiny.open();
        VllmSession few =
            tiny.open("num_gpu_blocks_override", 20, "block_size", 4, "max_model_len", 64)) {
      List<Generation> expected =
          all.stream().map(request -> alone.generate(List.of(request)).join().getFirst()).toList();
      List<Generation> found = few.generate(all).join();
      assertTrue(few.metrics().get("vllm/num_preemptions_max") > 0);
      assertFormats(found);
      for (int i = 0; i < all.size(); i++) {
        assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
        assertArrayEquals(
            expected.get(i).samplingLogProbs(), found.get(i).samplingLogProbs(), 1e-4);
      }
    }
  }

  @Test
  void formatsHoldWhileTheWeightsChange() {
    Parameters next = tiny.weights(2);
    try (VllmSession session = tiny.open("partial_rollout", true)) {
      var first = session.generate(requests());
      session.update(next).join();
      assertFormats(first.join());
    } finally {
      tiny.free(next);
    }
  }

  /** Proposed are only tokens that the formats allow, one after the other. */
  @Test
  void speculationChangesNoFormat() {
    List<GenerationRequest> all =
        IntStream.range(0, 24)
            .mapToObj(
                i ->
                    new GenerationRequest(
                        tokenizer.encode("Left Up Left Up Right"),
                        List.of(CHOICES, WORDS, OBJECT).get(i % 3),
                        List.of(STOP),
                        i))
            .toList();
    try (VllmSession plain = tiny.open("max_num_seqs", 4);
        VllmSession session =
            tiny.open("max_num_seqs", 4, "speculative_config", SpeculationTest.CONFIG)) {
      List<Generation> expected = plain.generate(all).join();
      List<Generation> found = session.generate(all).join();
      for (int i = 0; i < all.size(); i++) {
        assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
        assertEquals(expected.get(i).stopped(), found.get(i).stopped());
      }
      assertTrue(session.metrics().getOrDefault("vllm/spec_accepted_rate", 0.0) > 0);
    }
  }

  @Test
  void tooFewTokensCutAFormat() {
    try (VllmSession session = tiny.open()) {
      GenerationRequest request =
          new GenerationRequest(new int[] {5}, OBJECT.withMaxNewTokens(3), List.of(STOP), 1);
      assertFalse(Tiny.one(session, request).stopped());
    }
  }
}
