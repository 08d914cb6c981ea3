package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import roll.api.memory.MemoryKind;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.WeightsHandle;
import roll.testkit.QwenVlStrategyContract;
import roll.testkit.TinyQwenVl;
import roll.torch.model.Parameters;

/**
 * Prompts with pictures, in chunks and blocks that cut pictures, and a cache that few of them fill.
 */
abstract class VllmSeeingTestBase extends QwenVlStrategyContract {
  /** Metrics of models with vision only. */
  static final Set<String> METRICS = Set.of("vllm/pictures_computed", "vllm/pictures_cached");

  @AutoClose private final Tiny tiny;

  VllmSeeingTestBase(Path folder, boolean deep) throws IOException {
    super(folder.resolve("model"), deep);
    tiny = new Tiny(model());
  }

  @Override
  protected InferStrategy inference() {
    return tiny.strategy();
  }

  @Override
  protected Map<String, Object> options() {
    return Map.of("block_size", 4, "max_num_batched_tokens", 8, "num_gpu_blocks_override", 24);
  }

  @Override
  protected Parameters weights(long seed) {
    return tiny.weights(seed);
  }

  @Override
  protected void release(WeightsHandle weights) {
    tiny.free((Parameters) weights);
  }

  /** With 24 blocks of 4 tokens few sequences run at once, and some lose their blocks. */
  @Test
  void preemptedSequencesSeeAgain() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      requests.add(
          new GenerationRequest(prompt(), Sampling.of(20), List.of(), i)
              .withPictures(List.of(TinyQwenVl.picture(84, 56, i % 5))));
    }
    try (InferSession session = open();
        InferSession apart = open()) {
      List<Generation> together = session.generate(requests).join();
      assertTrue(session.metrics().getOrDefault("vllm/num_preemptions_max", 0.0) > 0);
      assertSameAlone(requests, together, apart);
    }
  }

  /** A picture is computed once for all prompts that show it, and again after sleep. */
  @Test
  void picturesAreComputedOnce() {
    List<GenerationRequest> requests = new ArrayList<>(request().sequences(3));
    requests.add(request().withPictures(pictures().subList(1, 2)));
    try (InferSession session = open()) {
      session.generate(requests).join();
      Map<String, Double> metrics = session.metrics();
      assertEquals(2.0, metrics.get("vllm/pictures_computed"));
      // a chunk of 8 tokens ends within the picture, which the next one reads again
      assertTrue(metrics.getOrDefault("vllm/pictures_cached", 0.0) >= 2, metrics::toString);
      session.generate(List.of(request())).join();
      assertFalse(session.metrics().containsKey("vllm/pictures_computed"), "all was cached");
      session.sleep().join();
      session.peakMemory();
      assertEquals(
          0L, session.peakMemory().getFirst().bytes().getOrDefault(MemoryKind.KV_CACHE, 0L));
      session.generate(List.of(request())).join();
      assertEquals(1.0, session.metrics().get("vllm/pictures_computed"));
    }
  }
}
