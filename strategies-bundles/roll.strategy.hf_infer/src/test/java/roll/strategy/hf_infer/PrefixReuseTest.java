package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.decoder.DecoderParameters;
import roll.torch.model.Parameters;

/** Conversations whose turns continue what is in the cache, and weights that change. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PrefixReuseTest {
  @AutoClose private final Stories stories = new Stories();

  /** The next turn: all of this one, its response, and what the world says. */
  private static GenerationRequest next(GenerationRequest request, Generation generation) {
    int[] prompt = request.prompt();
    int[] response = generation.tokens();
    int[] all = Arrays.copyOf(prompt, prompt.length + response.length + 3);
    System.arraycopy(response, 0, all, prompt.length, response.length);
    System.arraycopy(new int[] {430, 13, 292}, 0, all, all.length - 3, 3);
    return Stories.request(all, request.sampling(), request.seed() + 100);
  }

  private static List<GenerationRequest> firstTurn() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int[] prompt : Stories.prompts(7)) {
      for (int copy = 0; copy < 3; copy++) {
        int limit = 1 + (requests.size() * 5) % 12;
        requests.add(
            Stories.request(prompt, Stories.WARM.withMaxNewTokens(limit), 1000L + requests.size()));
      }
    }
    return requests;
  }

  @Test
  void turnsThatContinueTheCacheEqualThoseRunWhole() {
    try (InferSession reusing = stories.open(9);
        InferSession whole = stories.open(Dtype.FP32, 9, Map.of("prefix_reuse", false))) {
      List<GenerationRequest> requests = firstTurn();
      for (int turn = 0; turn < 4; turn++) {
        List<Generation> expected = whole.generate(requests).join();
        List<Generation> actual = reusing.generate(requests).join();
        List<GenerationRequest> following = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
          assertArrayEquals(expected.get(i).tokens(), actual.get(i).tokens());
          assertArrayEquals(expected.get(i).logProbs(), actual.get(i).logProbs(), Stories.ROUNDING);
          following.add(next(requests.get(i), expected.get(i)));
        }
        requests = following;
      }
    }
  }

  private static void assertDrawnBy(long version, Generation generation) {
    long[] versions = new long[generation.tokens().length];
    Arrays.fill(versions, version);
    assertArrayEquals(versions, generation.weightVersions());
  }

  @Test
  void changedWeightsAreUsedAndTheirVersionTold() {
    GenerationRequest request = Stories.request(Stories.prompts(6).getLast(), Stories.GREEDY, 1);
    for (Dtype dtype : Dtype.values()) {
      Parameters parameters =
          stories.device.call(() -> stories.models.read(stories.device, stories.folder(), 1));
      try (InferSession session = stories.open(dtype, 4, Map.of());
          InferSession fresh = stories.open(dtype, 4, Map.of())) {
        Generation before = Stories.one(session, request);
        assertDrawnBy(0, before);
        session.update(parameters).join();
        assertArrayEquals(before.tokens(), Stories.one(session, request).tokens());

        stories.device.call(() -> shrinkAnOutput(parameters));
        parameters.version(7);
        session.update(parameters).join();
        fresh.update(parameters).join();
        Generation after = Stories.one(session, request);
        assertDrawnBy(7, after);
        assertFalse(Arrays.equals(before.logProbs(), after.logProbs()));
        assertArrayEquals(Stories.one(fresh, request).logProbs(), after.logProbs(), 0);
      } finally {
        stories.device.call(
            () -> {
              parameters.close();
              return 0;
            });
      }
    }
  }

  @Test
  void sharedWeightsForgetTheCacheWhenTheyChange() {
    GenerationRequest request = Stories.request(Stories.prompts(6).getLast(), Stories.GREEDY, 1);
    Parameters parameters =
        stories.device.call(() -> stories.models.read(stories.device, stories.folder(), 1));
    try (InferSession session = stories.open(4);
        InferSession fresh = stories.open(4)) {
      session.update(parameters).join();
      fresh.update(parameters).join();
      Stories.one(session, request);
      stories.device.call(() -> shrinkAnOutput(parameters));
      parameters.version(1);
      Generation after = Stories.one(session, request);
      assertDrawnBy(1, after);
      assertArrayEquals(Stories.one(fresh, request).logProbs(), after.logProbs(), 0);
    } finally {
      stories.device.call(
          () -> {
            parameters.close();
            return 0;
          });
    }
  }

  /** Halves the first layer's output projection, as an optimizer would: in place. */
  private static int shrinkAnOutput(Parameters parameters) {
    int index = 0;
    while (!DecoderParameters.of(parameters.spec()).get(index).name().endsWith("o_proj.weight")) {
      index++;
    }
    MemorySegment memory = parameters.memory(index);
    for (long i = 0; i < memory.byteSize() / Float.BYTES; i++) {
      float weight = memory.getAtIndex(ValueLayout.JAVA_FLOAT, i);
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, weight / 2);
    }
    return index;
  }
}
