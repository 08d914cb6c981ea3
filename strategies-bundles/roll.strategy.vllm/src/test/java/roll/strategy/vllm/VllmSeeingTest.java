package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.memory.StateKind;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.huggingface.HuggingFaceTokenizers;
import roll.image.FolderImageProcessors;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.testkit.SeeingContract;
import roll.testkit.SeeingModel;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;
import roll.torch.model.Parameters;

/**
 * Prompts with pictures, in chunks and blocks that cut pictures, and a cache that few of them fill.
 */
final class VllmSeeingTest extends SeeingContract {
  /** That only models that see have. */
  static final Set<String> METRICS = Set.of("vllm/pictures_computed", "vllm/pictures_cached");

  private final Device device = new Device(() -> Engine.getEngine("PyTorch"), 1);
  private final Devices devices = Devices.on(device);
  private final HuggingFaceTokenizers tokenizers = new HuggingFaceTokenizers(devices);
  private final Models models = new Models(devices, tokenizers);
  private final Path folder;

  VllmSeeingTest(@TempDir Path folder) throws IOException {
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    this.folder = SeeingModel.write(folder.resolve("model"), shipped);
    models.look(new FolderImageProcessors());
    models.add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
  }

  @AfterEach
  void close() {
    devices.close();
  }

  @Override
  protected InferStrategy inference() {
    return new VllmStrategy(models, tokenizers);
  }

  @Override
  protected Path model() {
    return folder;
  }

  @Override
  protected int[] prompt() {
    return SeeingModel.prompt();
  }

  @Override
  protected List<Picture> pictures() {
    return SeeingModel.pictures();
  }

  @Override
  protected int vocabulary() {
    return SeeingModel.VOCABULARY;
  }

  @Override
  protected Set<Integer> parts() {
    return SeeingModel.PARTS;
  }

  @Override
  protected Map<String, Object> options() {
    return Map.of("block_size", 4, "max_num_batched_tokens", 8, "num_gpu_blocks_override", 24);
  }

  private Parameters weights(long seed) {
    return device.call(() -> models.read(device, models.folder(folder), seed));
  }

  private GenerationRequest request() {
    return new GenerationRequest(prompt(), Sampling.greedy(8), List.of(), 1)
        .withPictures(pictures().subList(0, 1));
  }

  /** New weights have another tower, also where they are copied into those of the session. */
  @ParameterizedTest
  @EnumSource
  void updatesForgetWhatWasSeen(Dtype dtype) {
    Parameters other = weights(5);
    Parameters third = weights(6);
    try (InferSession session = open(dtype);
        InferSession fresh = open(dtype)) {
      session.update(other).join();
      double[] before = session.generate(List.of(request())).join().getFirst().logProbs();
      session.update(third).join();
      fresh.update(third).join();
      double[] after = session.generate(List.of(request())).join().getFirst().logProbs();
      assertFalse(Arrays.equals(before, after));
      assertArrayEquals(fresh.generate(List.of(request())).join().getFirst().logProbs(), after, 0);
    } finally {
      device.call(
          () -> {
            other.close();
            third.close();
            return true;
          });
    }
  }

  /** A batch in which pictures have different sizes, and equal prompts are one row. */
  @Test
  void picturesOfDifferentSizes() {
    int[] small = {4, SeeingModel.IMAGE, 6};
    int[] both = {SeeingModel.IMAGE, 6, SeeingModel.IMAGE, SeeingModel.IMAGE, 8};
    Picture one = SeeingModel.picture(28, 28, 3);
    Picture two = SeeingModel.picture(28, 56, 4);
    List<GenerationRequest> requests =
        List.of(
            request(),
            new GenerationRequest(small, Sampling.of(5), List.of(), 2).withPictures(List.of(one)),
            new GenerationRequest(both, Sampling.of(9), List.of(), 3)
                .withPictures(List.of(one, two)),
            new GenerationRequest(small, Sampling.of(2), List.of(), 4).withPictures(List.of(one)),
            new GenerationRequest(new int[] {3}, Sampling.of(7), List.of(), 5));
    try (InferSession session = open();
        InferSession apart = open()) {
      List<Generation> together = session.generate(requests).join();
      for (int i = 0; i < requests.size(); i++) {
        Generation alone = apart.generate(List.of(requests.get(i))).join().getFirst();
        assertArrayEquals(alone.tokens(), together.get(i).tokens());
        assertArrayEquals(alone.logProbs(), together.get(i).logProbs(), tolerance());
      }
    }
  }

  /** With 24 blocks of 4 tokens few sequences run at once, and some lose their blocks. */
  @Test
  void preemptedSequencesSeeAgain() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      requests.add(
          new GenerationRequest(prompt(), Sampling.of(20), List.of(), i)
              .withPictures(List.of(SeeingModel.picture(84, 56, i % 5))));
    }
    try (InferSession session = open();
        InferSession apart = open()) {
      List<Generation> together = session.generate(requests).join();
      assertTrue(session.metrics().getOrDefault("vllm/num_preemptions_max", 0.0) > 0);
      for (int i = 0; i < requests.size(); i++) {
        Generation alone = apart.generate(List.of(requests.get(i))).join().getFirst();
        assertArrayEquals(alone.tokens(), together.get(i).tokens());
        assertArrayEquals(alone.logProbs(), together.get(i).logProbs(), tolerance());
      }
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
      session.held();
      assertEquals(0L, session.held().getFirst().bytes().getOrDefault(StateKind.KV_CACHE, 0L));
      session.generate(List.of(request())).join();
      assertEquals(1.0, session.metrics().get("vllm/pictures_computed"));
    }
  }

  @Test
  void refusalsSayWhatIsWrong() {
    try (InferSession session = open()) {
      CompletionException failure =
          assertThrows(
              CompletionException.class,
              () -> session.generate(List.of(request().withPictures(List.of()))).join());
      assertEquals(
          "prompt: token 3 is the place of a picture, and there are only 0",
          failure.getCause().getMessage());
    }
  }
}
