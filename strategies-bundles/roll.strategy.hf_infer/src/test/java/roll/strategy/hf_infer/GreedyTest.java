package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/** Greedy generation against what the model's authors and a double-precision forward say. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GreedyTest {
  @AutoClose private final Stories stories = new Stories();

  private static int[] ints(JsonElement array) {
    JsonArray ids = array.getAsJsonArray();
    int[] values = new int[ids.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = ids.get(i).getAsInt();
    }
    return values;
  }

  @Test
  void writesThePublishedStory() throws IOException {
    JsonObject published = stories.expected().getAsJsonObject("published");
    int[] ids = ints(published.get("greedy_ids"));
    Sampling sampling = Sampling.greedy(ids.length);
    try (InferSession session = stories.open(1);
        Tokenizer tokenizer = stories.tokenizer()) {
      int[] prompt = ints(published.get("input_ids"));
      Generation generation = Stories.one(session, Stories.request(prompt, sampling, 1));
      assertArrayEquals(ids, generation.tokens());
      assertFalse(generation.stopped());
      assertEquals(
          published.get("text").getAsString(), tokenizer.decode(generation.tokens(), false));
    }
  }

  @Test
  void casesRunTogetherGiveTheirExpectedTokens() throws IOException {
    List<GenerationRequest> requests = new ArrayList<>();
    List<int[]> expected = new ArrayList<>();
    for (JsonElement element : stories.expected().getAsJsonArray("cases")) {
      JsonObject one = element.getAsJsonObject();
      int[] ids = ints(one.get("greedy_ids"));
      expected.add(ids);
      int[] prompt = ints(one.get("input_ids"));
      requests.add(Stories.request(prompt, Sampling.greedy(ids.length), 1));
    }
    for (int batchSize : new int[] {1, 2, 3}) {
      try (InferSession session = stories.open(batchSize)) {
        List<Generation> generations = session.generate(requests).join();
        for (int i = 0; i < expected.size(); i++) {
          assertArrayEquals(expected.get(i), generations.get(i).tokens());
        }
      }
    }
  }

  @Test
  void bf16StaysNearFp32() {
    int[] prompt = Stories.prompts(8).getLast();
    Sampling first = Sampling.greedy(1);
    try (InferSession exact = stories.open(1);
        InferSession rounded = stories.open(Dtype.BF16, 1, Map.of())) {
      Generation fp32 = Stories.one(exact, Stories.request(prompt, first, 1));
      Generation bf16 = Stories.one(rounded, Stories.request(prompt, first, 1));
      assertArrayEquals(fp32.tokens(), bf16.tokens());
      assertEquals(fp32.logProbs()[0], bf16.logProbs()[0], 0.1);
    }
  }
}
